package wpstore

import "calbridge/i18n"

// InLanguage restricts a query to what is in one language. The zero value does
// not. Posts and terms that the plugin has no row for are in no language.
type InLanguage struct {
	Plugin i18n.Plugin
	Code   string
	// Also is a second language under WPML, "" for none.
	Also string
	// Scan has the table of languages read once, rather than looked into for each
	// post. It is only for a second language, where an index starts with the id.
	Scan bool
	// Posts and Terms are the term_taxonomy ids of Polylang's language.
	Posts, Terms int64
}

// In restricts to the language of a code; an unknown or empty one restricts to
// nothing.
func In(languages *i18n.Languages, code string) InLanguage {
	lang := languages.Find(code)
	if lang == nil {
		return InLanguage{}
	}
	return InLanguage{Plugin: languages.Plugin, Code: code, Posts: lang.PostTerm, Terms: lang.TermTerm}
}
