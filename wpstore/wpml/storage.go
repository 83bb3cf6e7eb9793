package wpml

import (
	"strings"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
)

// Storage implements [langplugin.Plugin].
func (*Plugin) Storage() changefeed.Storage {
	return changefeed.Storage{
		Tables: []changefeed.Table{
			{Name: translations, Columns: []string{"element_type", "element_id"}, Note: noteElement},
			{Name: "icl_languages", Note: noteLanguage},
		},
		Optional: jobTables(),
	}
}

// noteElement takes the translations: element_type, element_id. Terms are named by
// their ids of taxonomy.
func noteElement(c *changefeed.Changes, change []changefeed.Row) bool {
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

func noteLanguage(c *changefeed.Changes, _ []changefeed.Row) bool {
	c.Set(invalidation.Site)
	return true
}
