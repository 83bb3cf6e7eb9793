package wpstore

import "calbridge/i18n"

// InLanguage restricts a query to posts or terms in one language. The zero value doesn't
// restrict it. Posts and terms without a row of the plugin are in no language.
type InLanguage struct {
	Plugin i18n.Plugin
	Code   string
	// Also is a second language that a list under WPML includes in order to count it, or
	// "".
	Also string
	// Scan makes a query of two languages read WPML's table of languages once, instead of
	// looking up each post in it.
	Scan bool
	// Posts and Terms are the term_taxonomy ids of Polylang's language.
	Posts, Terms int64
}

// In returns a restriction to the language of a code. An unknown or empty code restricts
// nothing.
func In(languages *i18n.Languages, code string) InLanguage {
	lang := languages.Find(code)
	if lang == nil {
		return InLanguage{}
	}
	return InLanguage{Plugin: languages.Plugin, Code: code, Posts: lang.PostTerm, Terms: lang.TermTerm}
}
