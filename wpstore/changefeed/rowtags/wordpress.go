package rowtags

import (
	"bytes"
	"slices"
	"strings"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
)

// WordPress describes what depends on the rows of WordPress and of the calendar.
type WordPress struct {
	// Options and NetworkOptions are the names of the options that all responses depend on.
	Options, NetworkOptions []string
	// Tickets are the types of posts that are tickets or attendees, and the keys of the
	// metadata that events show of them.
	Tickets []string
	// Roles are the roles of the taxonomies of language plugins, by name.
	Roles map[string]TaxonomyRole
	// Harmless reports whether changes of metadata that calbridge's responses don't depend on change
	// nothing else. Its argument is MetaPrefix and the key. It may be nil, for never.
	Harmless func(name string) bool
}

// Tables returns the tables of WordPress and of the calendar.
func (w WordPress) Tables() []Table {
	post := noteIDs((*Changes).Post)
	occurrence := noteIDs(func(c *Changes, id int64) {
		c.Post(id)
		c.dated.add(id)
	})
	userMeta := noteIDs(func(c *Changes, id int64) { c.tag(invalidation.User, id) })
	user := noteIDs(func(c *Changes, id int64) {
		c.tag(invalidation.User, id)
		c.Set(invalidation.Users)
	})
	term := noteIDs(func(c *Changes, id int64) {
		c.Term(id)
		c.terms.add(id)
	})
	anySite := func(c *Changes, _ int64) { c.Set(invalidation.Site) }
	anyPost := func(c *Changes, id int64) {
		c.Post(id)
		c.Set(invalidation.Tickets)
	}
	return []Table{
		// No search covers revisions, nor the metadata that WordPress updates repeatedly
		// while a user has a post open.
		{"posts", []string{"ID", "post_type", "post_status", "post_password"}, "ID", countedUnlessSame(noteTypes(w.Tickets, notePosts(w.Tickets, "revision"))), anyPost, hidesPost},
		{"postmeta", []string{"post_id", "meta_key"}, "meta_id", noteDescribed(w.noteMeta(notePosts(w.Tickets, "_edit_lock", "_edit_last"))), nil, nil},
		{"tec_events", []string{"post_id"}, "event_id", post, nil, nil},
		{"tec_occurrences", []string{"post_id"}, "occurrence_id", occurrence, nil, nil},
		{"term_relationships", []string{"object_id", "term_taxonomy_id"}, "", counted(noteRelation), nil, deletes},
		{"term_taxonomy", []string{"term_taxonomy_id", "term_id", "taxonomy", "description"}, "term_taxonomy_id", counted(noteTaxonomy(w.Roles)), nil, deletes},
		{"terms", []string{"term_id"}, "", counted(term), nil, deletes},
		{"termmeta", []string{"term_id"}, "meta_id", term, nil, nil},
		{"users", []string{"ID"}, "", user, nil, deletes},
		{"usermeta", []string{"user_id", "meta_key"}, "umeta_id", userMeta, nil, takesRole},
		{"options", []string{"option_name"}, "option_id", noteOptions(w.Options), anySite, nil},
		{"sitemeta", []string{"meta_key"}, "meta_id", noteOptions(w.NetworkOptions), anySite, nil},
		{"blogs", []string{"blog_id", "site_id", "domain", "path", "public", "archived", "spam", "deleted"}, "", noteBlogs, anySite, nil},
	}
}

// deletes reports that a row is deleted.
func deletes(action binlog.Action, _ []Row) bool { return action == binlog.Delete }

// hidesPost reports whether a post may be visible to fewer people than before: it is deleted, or has
// another status or password.
func hidesPost(action binlog.Action, change []Row) bool {
	const status, password = 2, 3
	return action == binlog.Delete || action == binlog.Update && (!same(change[0][status], change[1][status]) || !same(change[0][password], change[1][password]))
}

// takesRole reports whether a user may have lost a role.
func takesRole(action binlog.Action, change []Row) bool {
	if action == binlog.Insert {
		return false
	}
	key, ok := change[0].Text(1)
	return !ok || strings.HasSuffix(key, "capabilities")
}

func same(a, b binlog.Value) bool {
	return a.Kind == b.Kind && a.Int == b.Int && bytes.Equal(a.Bytes, b.Bytes)
}

// counted wraps note and marks each change as one that counts may depend on.
func counted(note func(*Changes, []Row) bool) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		c.counted = true
		return note(c, change)
	}
}

// countedUnlessSame works like counted, except for changes that leave the columns read here
// as they were.
func countedUnlessSame(note func(*Changes, []Row) bool) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		unchanged := len(change) == 2 && slices.EqualFunc(change[0], change[1], same)
		c.counted = c.counted || !unchanged
		return note(c, change)
	}
}

// noteIDs interprets tables whose first column is an id.
func noteIDs(note func(*Changes, int64)) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		for _, row := range change {
			id, ok := row.ID(0)
			if !ok {
				return false
			}
			note(c, id)
		}
		return true
	}
}

// notePosts interprets a post's id, and its type or a metadata key. Rows with one of the
// unsearched names change no list; rows with one of the names of tickets change tickets.
func notePosts(tickets []string, unsearched ...string) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		for _, row := range change {
			id, ok := row.ID(0)
			name, okName := row.Text(1)
			if !ok || !okName {
				return false
			}
			c.tag(invalidation.Post, id)
			if !slices.Contains(unsearched, name) {
				c.Post(id)
			}
			if slices.Contains(tickets, name) {
				c.Set(invalidation.Tickets)
			}
		}
		return true
	}
}

// noteDescribed notes the posts whose metadata changes; their ids are in the first column.
func noteDescribed(note func(*Changes, []Row) bool) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		for _, row := range change {
			if id, ok := row.ID(0); ok {
				c.described = max(c.described, id)
			}
		}
		return note(c, change)
	}
}

// noteTypes notes posts of types that answers don't show; their second column is the type.
func noteTypes(tickets []string, note func(*Changes, []Row) bool) func(*Changes, []Row) bool {
	shown := append([]string{"tribe_events", "tribe_venue", "tribe_organizer", "attachment"}, tickets...)
	return func(c *Changes, change []Row) bool {
		for _, row := range change {
			if name, ok := row.Text(1); ok && !slices.Contains(shown, name) {
				c.others.add("posts:" + name)
			}
		}
		return note(c, change)
	}
}

// noteOptions interprets options, of which only those with these names matter. The
// collation by which options are found ignores case, trailing spaces and accents.
func noteOptions(names []string) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		for _, row := range change {
			name, ok := row.Text(0)
			if !ok {
				return false
			}
			same := func(n string) bool { return strings.EqualFold(n, strings.TrimRight(name, " ")) }
			accented := func(r rune) bool { return r >= 0x80 }
			if slices.ContainsFunc(names, same) || strings.ContainsFunc(name, accented) {
				c.Set(invalidation.Site)
			} else {
				c.others.add("options:" + name)
			}
		}
		return true
	}
}

// noteBlogs interprets the sites of a network. Each save of an event changes the time of the last
// one, which is not among the columns and on which nothing depends.
func noteBlogs(c *Changes, change []Row) bool {
	if len(change) != 2 || !slices.EqualFunc(change[0], change[1], same) {
		c.Set(invalidation.Site)
	}
	return true
}

// noteRelation interprets term_relationships: object_id, term_taxonomy_id.
func noteRelation(c *Changes, change []Row) bool {
	for _, row := range change {
		object, ok := row.ID(0)
		taxonomy, okTaxonomy := row.ID(1)
		if !ok || !okTaxonomy {
			return false
		}
		c.relations.add(relation{object, taxonomy})
	}
	return true
}

// noteTaxonomy interprets term_taxonomy: term_taxonomy_id, term_id, taxonomy, description.
// Descriptions may hold languages and groups of translations. Most changes affect only the
// count, which matters to neither. A description that is in only one image has changed.
func noteTaxonomy(roles map[string]TaxonomyRole) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		type meaning struct {
			taxonomy, description string
			absent                bool
		}
		var meanings []meaning
		for i, row := range change {
			id, okID := row.ID(0)
			term, okTerm := row.ID(1)
			taxonomy, okTaxonomy := row.Text(2)
			description, ok := row.Text(3)
			absent := row[3].Kind == binlog.Absent
			if !okID || !okTerm || !okTaxonomy || !ok && !absent {
				return false
			}
			c.Term(term)
			c.taxonomies[id] = termOf{}
			if i == 1 {
				c.taxonomies[id] = termOf{term, taxonomy}
			}
			meanings = append(meanings, meaning{taxonomy, description, absent})
		}
		if len(change) == 2 && meanings[0] == meanings[1] {
			return true
		}
		if len(change) == 2 && meanings[0].taxonomy != meanings[1].taxonomy {
			// The cached terms of a post don't depend on those of other taxonomies, so
			// nothing identifies the posts that now have this one. Only converters do this.
			c.Everything()
			return true
		}
		for _, m := range meanings {
			switch roles[m.taxonomy] {
			case PostLanguage, TermLanguage:
				c.Set(invalidation.Site)
			case PostGroup:
				c.Set(invalidation.Translations)
			}
		}
		return true
	}
}
