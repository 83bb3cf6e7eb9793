package changefeed

import (
	"slices"
	"strings"

	"calbridge/wpstore/invalidation"
)

// wordPressTables are the tables of WordPress and of the calendar.
func wordPressTables(cfg *Config) []Table {
	post := noteIDs((*Changes).Post)
	userMeta := noteIDs(func(c *Changes, id int64) { c.tag(invalidation.User, id) })
	user := noteIDs(func(c *Changes, id int64) {
		c.tag(invalidation.User, id)
		c.Set(invalidation.Users)
	})
	term := noteIDs(func(c *Changes, id int64) {
		c.Term(id)
		c.terms.add(id)
	})
	return []Table{
		// Nothing searches revisions, nor the metadata that WordPress writes again and
		// again while somebody has a post open.
		{"posts", []string{"ID", "post_type"}, notePosts(cfg.Tickets, "revision")},
		{"postmeta", []string{"post_id", "meta_key"}, notePosts(cfg.Tickets, "_edit_lock", "_edit_last")},
		{"tec_events", []string{"post_id"}, post},
		{"tec_occurrences", []string{"post_id"}, post},
		{"term_relationships", []string{"object_id", "term_taxonomy_id"}, noteRelation},
		{"term_taxonomy", []string{"term_taxonomy_id", "term_id", "taxonomy", "description"}, noteTaxonomy(cfg.taxonomies())},
		{"terms", []string{"term_id"}, term},
		{"termmeta", []string{"term_id"}, term},
		{"users", []string{"ID"}, user},
		{"usermeta", []string{"user_id"}, userMeta},
		{"options", []string{"option_name"}, noteOptions(cfg.Options)},
		{"sitemeta", []string{"meta_key"}, noteOptions(cfg.NetworkOptions)},
	}
}

// noteIDs takes tables whose first column is an id.
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

// notePosts takes a post's id, and its type or a metadata key. Rows with one of the
// unsearched names change no list, those with one of the names of tickets change tickets.
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

// noteOptions takes options, of which only those with these names matter. The collation
// by which options are found ignores case, trailing spaces and accents.
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
			}
		}
		return true
	}
}

// noteRelation takes term_relationships: object_id, term_taxonomy_id.
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

// noteTaxonomy takes term_taxonomy: term_taxonomy_id, term_id, taxonomy, description.
// Descriptions may hold languages and groups of translations; most changes are of the
// count, which matters to neither.
func noteTaxonomy(roles map[string]TaxonomyRole) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		type meaning struct{ taxonomy, description string }
		var meanings []meaning
		for _, row := range change {
			id, okID := row.ID(0)
			term, okTerm := row.ID(1)
			taxonomy, okTaxonomy := row.Text(2)
			description, ok := row.Text(3)
			if !okID || !okTerm || !okTaxonomy || !ok {
				return false
			}
			c.Term(term)
			c.taxonomies.add(id)
			meanings = append(meanings, meaning{taxonomy, description})
		}
		if len(change) == 2 && meanings[0] == meanings[1] {
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
