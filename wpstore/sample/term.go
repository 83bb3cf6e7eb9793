package sample

const (
	categories = "tribe_events_cat"
	tags       = "post_tag"
)

// terms writes the categories, of which some lie within others, and the tags.
// Their counts are filled in by count.
func (l *loader) terms() {
	id := int64(0)
	add := func(taxonomy, key, name, description, parent string) {
		id++
		l.table("terms", "term_id", "name", "slug", "term_group").add(id, name, l.slug(name), 0)
		l.table("term_taxonomy", "term_taxonomy_id", "term_id", "taxonomy", "description", "parent", "count").
			add(id, id, taxonomy, description, l.taxonomies[categories+" "+parent], int64(0))
		l.taxonomies[taxonomy+" "+key] = id
	}
	for _, c := range []struct{ key, name, description, parent string }{
		{"culture", "Culture", "Everything on a stage, a wall or a shelf", ""},
		{"music", "Music", "", "culture"},
		{"jazz", "Jazz & blues", "", "music"},
		{"classical", "Classical", "", "music"},
		{"theatre", "Theatre", "", "culture"},
		{"art", "Exhibitions", "", "culture"},
		{"books", "Books", "Readings and discussions", "culture"},
		{"markets", "Markets", "", ""},
		{"sport", "Sport", "", ""},
		{"running", "Running", "", "sport"},
		{"children", "Children", "For families with children up to twelve", ""},
		{"town", "Town hall", "Council meetings and public hearings", ""},
		{"courses", "Courses", "Nothing planned at the moment", ""},
	} {
		add(categories, c.key, c.name, c.description, c.parent)
	}
	for _, t := range []struct{ key, name string }{
		{"free", "Free entry"}, {"outdoors", "Outdoors"}, {"family", "Family-friendly"}, {"advent", "Advent"},
		{"accessible", "Step-free"}, {"english", "In English"}, {"german", "Auf Deutsch"}, {"premiere", "Première"},
		{"workshop", "Workshop"}, {"regional", "From the region"}, {"evening", "Evening"}, {"tickets", "Tickets needed"},
	} {
		add(tags, t.key, t.name, "", "")
	}
}

// assign links an event to terms.
func (l *loader) assign(postID int64, taxonomy string, keys []string, published bool) {
	for _, key := range keys {
		id := l.taxonomies[taxonomy+" "+key]
		l.table("term_relationships", "object_id", "term_taxonomy_id", "term_order").add(postID, id, 0)
		if published {
			l.uses[id]++
		}
	}
}

// count fills in how many published events each term has.
func (l *loader) count() {
	for _, row := range l.table("term_taxonomy").values {
		row[len(row)-1] = l.uses[row[0].(int64)]
	}
}
