package wpml

import (
	"strings"
	"sync/atomic"

	"calbridge/i18n"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/table"
)

// Plugin is WPML on one site.
type Plugin struct {
	langplugin.None
	tables  table.Names
	dialect dialect.Dialect
	// byElement names the index of icl_translations that starts with the element's id, ""
	// if there is none. rows is an estimate of the table's number of rows. ReadSite sets
	// both.
	byElement atomic.Pointer[string]
	rows      atomic.Int64
}

// New returns WPML on a site with the given tables.
func New(tables table.Names, dialect dialect.Dialect) *Plugin {
	return &Plugin{tables: tables, dialect: dialect}
}

// Name implements [langplugin.Plugin].
func (*Plugin) Name() i18n.Plugin { return i18n.WPML }

// translations is the table of languages and translations.
const translations = "icl_translations"

// postElement and termElement return the types of elements.
func postElement(postType string) string { return "post_" + postType }

func termElement(taxonomy string) string { return "tax_" + taxonomy }

// jobTables returns the tables of translations and their translators.
func jobTables() []string {
	return []string{"icl_translation_status", "icl_translate_job", "icl_translate", "icl_translation_batches"}
}

// Tables implements [langplugin.Plugin]. Nothing in a response depends on jobs.
func (*Plugin) Tables() []rowedit.Table {
	tables := []rowedit.Table{{Name: translations, Sets: []invalidation.Kind{invalidation.Posts, invalidation.Terms, invalidation.Translations}}}
	for _, name := range jobTables() {
		tables = append(tables, rowedit.Table{Name: name})
	}
	return tables
}

// elementHint forces the index of icl_translations that starts with the id.
func (p *Plugin) elementHint() string {
	index := p.JoinVariant()
	if index == "" {
		return ""
	}
	return " FORCE INDEX (`" + strings.ReplaceAll(index, "`", "``") + "`)"
}

// elementType returns the column of an element's type, for a query by ids with several types.
// Where an index starts with the id, it is an expression that no index covers: otherwise
// the optimizer plans a look-up of each id under each type, which takes longer than the
// rest of the query.
func (p *Plugin) elementType(alias string) string {
	if p.elementHint() == "" {
		return alias + ".element_type"
	}
	return "CONCAT(" + alias + ".element_type)"
}

// JoinVariant implements [langplugin.Plugin]: the name of the forced index.
func (p *Plugin) JoinVariant() string {
	if index := p.byElement.Load(); index != nil {
		return *index
	}
	return ""
}

// WorthScanning implements [langplugin.Plugin]. Reading a row in a scan takes about a
// fourth of the time of a look-up.
func (p *Plugin) WorthScanning(posts int64) bool {
	all := p.rows.Load()
	return p.elementHint() != "" && all > 0 && 4*posts > all
}
