package wpml

import (
	"strings"

	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/invalidation"
)

// Storage implements [langplugin.Plugin].
func (*Plugin) Storage() rowtags.Storage {
	return rowtags.Storage{
		Tables: []rowtags.Table{
			{Name: translations, Columns: []string{"element_type", "element_id"}, Key: "translation_id", Note: noteElement},
			{Name: "icl_languages", Note: noteLanguage},
		},
		Optional: jobTables(),
	}
}

// noteElement notes a row of icl_translations: element_type, element_id, which for a term
// is the term_taxonomy id.
func noteElement(c *rowtags.Changes, change []rowtags.Row) bool {
	for _, row := range change {
		kind, ok := row.Text(0)
		id, known := row.ID(1)
		if !ok || !known {
			return false
		}
		if strings.HasPrefix(kind, "tax_") {
			c.TermOf(id)
			continue
		}
		c.Post(id)
		c.Set(invalidation.Translations)
	}
	return true
}

func noteLanguage(c *rowtags.Changes, _ []rowtags.Row) bool {
	c.Set(invalidation.Site)
	return true
}
