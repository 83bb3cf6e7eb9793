package langplugin

import (
	"slices"
	"strings"

	"calbridge/i18n"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/rowedit"
)

// Plugins are all language plugins that this program supports. A site has at most one:
// its facts and its queries name it.
type Plugins []Plugin

// Of returns the plugin with a name, and [None] for any other name.
func (all Plugins) Of(name i18n.Plugin) Plugin {
	for _, p := range all {
		if p.Name() == name {
			return p
		}
	}
	return None{}
}

// each joins the results of a method for all plugins. Rows of a plugin that is no longer
// active stay, and another plugin may become active.
func each[T any](all Plugins, list func(Plugin) []T) (joined []T) {
	for _, p := range all {
		joined = append(joined, list(p)...)
	}
	return joined
}

// SiteTables returns the tables that ReadSite needs, if they exist.
func (all Plugins) SiteTables() []string { return each(all, Plugin.SiteTables) }

// Storage returns for each plugin which rows of the change feed concern languages.
func (all Plugins) Storage() []rowtags.Storage {
	return each(all, func(p Plugin) []rowtags.Storage { return []rowtags.Storage{p.Storage()} })
}

// Tables returns the plugins' own tables that writes change.
func (all Plugins) Tables() []rowedit.Table { return each(all, Plugin.Tables) }

// ObjectTaxonomies returns the taxonomies under which plugins file terms.
func (all Plugins) ObjectTaxonomies() []string { return each(all, Plugin.ObjectTaxonomies) }

// PostTaxonomies returns the taxonomies whose terms are the language of a post.
func (all Plugins) PostTaxonomies() []string {
	taxonomies := each(all, func(p Plugin) (names []string) {
		for name, filing := range p.Storage().Taxonomies {
			if filing == rowtags.PostLanguage {
				names = append(names, name)
			}
		}
		return names
	})
	slices.Sort(taxonomies)
	return taxonomies
}

// JoinVariant returns what JoinPosts of any plugin depends on besides its arguments.
func (all Plugins) JoinVariant() string {
	return strings.TrimSpace(strings.Join(each(all, func(p Plugin) []string { return []string{p.JoinVariant()} }), " "))
}
