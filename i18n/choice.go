package i18n

import "strings"

// Choice holds the languages of one response. They depend on the root that the request
// was sent to and on the advertised parameter.
type Choice struct {
	// Root is the language of the root. "" is a root without a language: that of a site
	// without a plugin, and Polylang's only root.
	Root string
	// Wanted is the valid value of the parameter, "" without one.
	Wanted string
}

// Items returns the language of the items of a list. "" means all.
func (c Choice) Items() string {
	if c.Wanted != "" {
		return c.Wanted
	}
	return c.Root
}

// Totals returns the language in which a list of events is counted. Under WPML it is the
// root's, regardless of the parameter.
func (c Choice) Totals() string { return c.Root }

// Linked returns the language that venues and organizers of events are translated into.
// The parameter applies only to the first ones of a response: the venues of the first
// event, or its organizers if it has no venue. When WPML renders them, it switches back to
// the root's language.
func (c Choice) Linked(first bool) string {
	if first {
		return c.Items()
	}
	return c.Root
}

// Mended returns the choice without WPML's bugs: only the parameter counts, as if the
// request had been sent to the root of its language.
func (c Choice) Mended() Choice {
	if c.Wanted != "" {
		c.Root = c.Wanted
	}
	return c
}

// PolylangTerms returns the language that Polylang's own parameter lang selects for
// lists of terms, "" for all. absent means that the parameter is missing or not text.
// Codes match in any letter case; an unknown code means the default language.
func (l *Languages) PolylangTerms(lang string, absent bool) string {
	if absent || lang == "" || lang == "0" {
		return ""
	}
	for i := range l.All {
		if strings.EqualFold(l.All[i].Code, lang) {
			return l.All[i].Code
		}
	}
	return l.Default
}

// HomeURL returns the home URL of a language: the site's home URL with the language's host
// and directory. home has no trailing slash. For an unknown code it returns home.
func (l *Languages) HomeURL(home, code string) string {
	lang := l.Find(code)
	if lang == nil {
		return home
	}
	if lang.Host != "" {
		if scheme, rest, ok := strings.Cut(home, "://"); ok {
			path := ""
			if i := strings.IndexByte(rest, '/'); i >= 0 {
				path = rest[i:]
			}
			home = scheme + "://" + lang.Host + path
		}
	}
	return home + lang.Prefix
}

// Argument returns the language argument in the query of a language's URLs: its code if
// the site distinguishes languages by a parameter, else "".
func (l *Languages) Argument(code string) string {
	if l.Form != Parameter || code == l.Default || l.Find(code) == nil {
		return ""
	}
	return code
}

// Adjusts reports whether WPML translates the ids by which a request to the root of a
// language filters posts. It does in all languages except the default.
func (l *Languages) Adjusts(code string) bool {
	return l.Plugin != NoPlugin && code != "" && code != l.Default
}

// Wording returns the catalogue for a language code or a locale. "pt-br" and "pt_BR" mean
// pt.
func Wording(code string) string {
	if i := strings.IndexAny(code, "-_"); i >= 0 {
		code = code[:i]
	}
	return strings.ToLower(code)
}
