package polylang

import "calbridge/wpstore/changefeed"

// Storage implements [langplugin.Plugin].
func (*Plugin) Storage() changefeed.Storage {
	return changefeed.Storage{Taxonomies: map[string]changefeed.TaxonomyRole{
		PostLanguages: changefeed.PostLanguage, TermLanguages: changefeed.TermLanguage,
		PostGroups: changefeed.PostGroup, TermGroups: changefeed.TermGroup,
	}}
}
