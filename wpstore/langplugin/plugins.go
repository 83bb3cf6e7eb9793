package langplugin

import (
	"slices"
	"strings"

	"calbridge/i18n"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/rowedit"
)

// Plugins are all language plugins that this program knows. A site has at most one
// of them; which one its facts tell, and queries name it.
type Plugins []Plugin

// Of is the plugin of a name; the plugin-less site where none has it.
func (all Plugins) Of(name i18n.Plugin) Plugin {
	for _, p := range all {
		if p.Name() == name {
			return p
		}
	}
	return None{}
}

// SiteTables are the tables whose existence is asked for, of all plugins.
func (all Plugins) SiteTables() []string {
	var tables []string
	for _, p := range all {
		tables = append(tables, p.SiteTables()...)
	}
	return tables
}

// Storage is that of all plugins: which of them is active may change.
func (all Plugins) Storage() []changefeed.Storage {
	storage := make([]changefeed.Storage, len(all))
	for i, p := range all {
		storage[i] = p.Storage()
	}
	return storage
}

// Tables are the tables of all plugins that writes change.
func (all Plugins) Tables() []rowedit.Table {
	var tables []rowedit.Table
	for _, p := range all {
		tables = append(tables, p.Tables()...)
	}
	return tables
}

// ObjectTaxonomies are those of all plugins: the rows of one that is no longer
// active stay.
func (all Plugins) ObjectTaxonomies() []string {
	var taxonomies []string
	for _, p := range all {
		taxonomies = append(taxonomies, p.ObjectTaxonomies()...)
	}
	return taxonomies
}

// PostTaxonomies are those whose terms tell the language of a post.
func (all Plugins) PostTaxonomies() []string {
	var taxonomies []string
	for _, s := range all.Storage() {
		for name, role := range s.Taxonomies {
			if role == changefeed.PostLanguage {
				taxonomies = append(taxonomies, name)
			}
		}
	}
	slices.Sort(taxonomies)
	return taxonomies
}

// JoinVariant is what JoinPosts depends on besides its arguments, whatever the plugin.
func (all Plugins) JoinVariant() string {
	variants := make([]string, len(all))
	for i, p := range all {
		variants[i] = p.JoinVariant()
	}
	return strings.Join(slices.DeleteFunc(variants, func(v string) bool { return v == "" }), " ")
}
