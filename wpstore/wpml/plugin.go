package wpml

import (
	"strings"
	"sync/atomic"

	"calbridge/i18n"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Plugin is WPML on one site.
type Plugin struct {
	tables  table.Names
	dialect sqlconn.Dialect
	// byElement names the index of the translations that starts with the element's id,
	// "" for none, and rows is about how many rows they have, as the site facts have
	// last seen.
	byElement atomic.Pointer[string]
	rows      atomic.Int64
}

// New is WPML on a site of some tables.
func New(tables table.Names, dialect sqlconn.Dialect) *Plugin {
	return &Plugin{tables: tables, dialect: dialect}
}

// Name implements [langplugin.Plugin].
func (*Plugin) Name() i18n.Plugin { return i18n.WPML }

// translations is the table of what is in which language, and translates what.
const translations = "icl_translations"

// postElement and termElement are the types of elements.
func postElement(postType string) string { return "post_" + postType }

func termElement(taxonomy string) string { return "tax_" + taxonomy }

// jobTables are the tables of translations and who made them.
func jobTables() []string {
	return []string{"icl_translation_status", "icl_translate_job", "icl_translate", "icl_translation_batches"}
}

// Tables implements [langplugin.Plugin]. Nothing that is shown depends on jobs.
func (*Plugin) Tables() []rowedit.Table {
	tables := []rowedit.Table{{Name: translations, Sets: []invalidation.Kind{invalidation.Posts, invalidation.Terms, invalidation.Translations}}}
	for _, name := range jobTables() {
		tables = append(tables, rowedit.Table{Name: name})
	}
	return tables
}

// ObjectTaxonomies implements [langplugin.Plugin]: terms are filed elsewhere.
func (*Plugin) ObjectTaxonomies() []string { return nil }

// elementHint asks for the index of WPML's translations that starts with the id.
func (p *Plugin) elementHint() string {
	index := p.JoinVariant()
	if index == "" {
		return ""
	}
	return " FORCE INDEX (`" + strings.ReplaceAll(index, "`", "``") + "`)"
}

// elementType is the column of an element's type, for a query by ids with several
// types. Where an index starts with the id, it is an expression, which is for no
// index: else each id would be looked up under each of the types, and planning that
// takes longer than all the rest.
func (p *Plugin) elementType(alias string) string {
	if p.elementHint() == "" {
		return alias + ".element_type"
	}
	return "CONCAT(" + alias + ".element_type)"
}

// JoinVariant implements [langplugin.Plugin]: the name of the index that is asked for.
func (p *Plugin) JoinVariant() string {
	if index := p.byElement.Load(); index != nil {
		return *index
	}
	return ""
}

// WorthScanning implements [langplugin.Plugin]. One look at all rows of the table
// takes as long as look-ups for a fourth as many posts.
func (p *Plugin) WorthScanning(posts int64) bool {
	all := p.rows.Load()
	return p.elementHint() != "" && all > 0 && 4*posts > all
}
