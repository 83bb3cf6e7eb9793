package changefeed

import (
	"slices"
	"strings"

	"calbridge/wpstore/invalidation"
)

// siteTables are the tables of WordPress and of the calendar. The names are those of
// options that all answers depend on.
func siteTables(options, networkOptions []string, filings map[string]Filing) []Table {
	return []Table{
		{"posts", []string{"ID", "post_type"}, notePost},
		{"postmeta", []string{"post_id", "meta_key"}, notePostMeta},
		{"tec_events", []string{"post_id"}, notePostOf},
		{"tec_occurrences", []string{"post_id"}, notePostOf},
		{"term_relationships", []string{"object_id", "term_taxonomy_id"}, noteRelation},
		{"term_taxonomy", []string{"term_taxonomy_id", "term_id", "taxonomy", "description"}, noteTaxonomy(filings)},
		{"terms", []string{"term_id"}, noteTerm},
		{"termmeta", []string{"term_id"}, noteTerm},
		{"users", []string{"ID"}, noteUser},
		{"usermeta", []string{"user_id"}, noteUser},
		{"options", []string{"option_name"}, noteNames(options)},
		{"sitemeta", []string{"meta_key"}, noteNames(networkOptions)},
	}
}

// revisionType is the type of old versions of posts, which nothing but writes reads.
const revisionType = "revision"

// notePost takes posts: ID, post_type.
func notePost(c *Changes, change []Row) bool {
	for _, row := range change {
		id, ok := row.ID(0)
		kind, known := row.Text(1)
		if !ok || !known {
			return false
		}
		c.tag(invalidation.Post, id)
		if kind != revisionType {
			c.Post(id)
		}
	}
	return true
}

// editingKeys are metadata that WordPress writes again and again while somebody has
// a post open, and that no search goes by.
var editingKeys = []string{"_edit_lock", "_edit_last"}

// notePostMeta takes postmeta: post_id, meta_key.
func notePostMeta(c *Changes, change []Row) bool {
	for _, row := range change {
		id, ok := row.ID(0)
		key, known := row.Text(1)
		if !ok || !known {
			return false
		}
		c.tag(invalidation.Post, id)
		if !slices.Contains(editingKeys, key) {
			c.Post(id)
		}
	}
	return true
}

// each calls do with the id in the first column of each image.
func each(change []Row, do func(int64)) bool {
	for _, row := range change {
		id, ok := row.ID(0)
		if !ok {
			return false
		}
		do(id)
	}
	return true
}

// notePostOf takes tables whose first column is a post's id.
func notePostOf(c *Changes, change []Row) bool { return each(change, c.Post) }

func noteUser(c *Changes, change []Row) bool {
	return each(change, func(id int64) { c.tag(invalidation.User, id) })
}

// noteTerm takes terms and termmeta: term_id.
func noteTerm(c *Changes, change []Row) bool {
	return each(change, func(id int64) {
		c.Term(id)
		c.terms[id] = struct{}{}
	})
}

// noteNames takes options, of which most are of no interest.
func noteNames(names []string) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		for _, row := range change {
			name, ok := row.Text(0)
			if !ok {
				return false
			}
			// The collation, by which options are found, ignores case.
			if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimRight(name, " ")) }) || !isASCII(name) {
				c.Set(invalidation.Site)
			}
		}
		return true
	}
}

// isASCII: the collation takes letters with accents for those without.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// noteRelation takes term_relationships: object_id, term_taxonomy_id.
func noteRelation(c *Changes, change []Row) bool {
	for _, row := range change {
		object, ok := row.ID(0)
		taxonomy, known := row.ID(1)
		if !ok || !known {
			return false
		}
		c.relations[relation{object, taxonomy}] = struct{}{}
	}
	return true
}

// noteTaxonomy takes term_taxonomy: term_taxonomy_id, term_id, taxonomy,
// description. What languages and groups of translations are may be in descriptions.
func noteTaxonomy(filings map[string]Filing) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		var meanings []string
		var kinds []string
		for _, row := range change {
			taxonomyID, ok1 := row.ID(0)
			term, ok2 := row.ID(1)
			kind, ok3 := row.Text(2)
			description, ok4 := row.Text(3)
			if !ok1 || !ok2 || !ok3 || !ok4 {
				return false
			}
			c.Term(term)
			c.taxonomies[taxonomyID] = struct{}{}
			kinds = append(kinds, kind)
			meanings = append(meanings, kind+"\x00"+description)
		}
		if len(change) == 2 && meanings[0] == meanings[1] {
			return true // a count, mostly
		}
		for _, kind := range kinds {
			switch filings[kind] {
			case PostLanguage, TermLanguage:
				c.Set(invalidation.Site)
			case PostGroup:
				c.Set(invalidation.Translations)
			}
		}
		return true
	}
}
