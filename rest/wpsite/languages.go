package wpsite

import (
	"cmp"

	"calbridge/i18n"
)

// defaultLanguageParam is the name of the language parameter where no other is
// set.
const defaultLanguageParam = "language_code"

// Languages says which languages the interface offers on a site, made from the
// language plugin or, without one, from the settings.
type Languages struct {
	i18n.Languages
	// Roots: the URL chooses a language.
	Roots bool
	// Offered are the codes that the parameter accepts; nil: there is none.
	Offered []string
}

// newLanguages decides what is offered. Polylang itself offers no roots and no
// parameter, and exact leaves it so.
func newLanguages(found i18n.Languages, cfg *Settings) Languages {
	l := Languages{Languages: found}
	switch {
	case found.Plugin == i18n.NoPlugin:
		l.Offered = cfg.Languages
	case found.Plugin == i18n.WPML || !cfg.Compat.Exact():
		l.Roots, l.Offered = true, found.Codes()
	}
	return l
}

// languageParam is the name of the language parameter.
func (s *Settings) LanguageParameter() string {
	return cmp.Or(s.LanguageParam, defaultLanguageParam)
}
