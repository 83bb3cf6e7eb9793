package i18n

import "strings"

// Choice says in which languages one request is answered. Two places choose: the
// root that the request was sent to, and the advertised parameter.
type Choice struct {
	// Root is the language of the root; "" is a root of no language in particular:
	// that of a site without a plugin, and Polylang's only one.
	Root string
	// Wanted is the valid value of the parameter, "" without one.
	Wanted string
}

// Items returns the language of what a list holds. "" means all.
func (c Choice) Items() string {
	if c.Wanted != "" {
		return c.Wanted
	}
	return c.Root
}

// Totals returns the language that a list of events is counted in: under WPML the
// root's, whatever the parameter says.
func (c Choice) Totals() string { return c.Root }

// Linked returns the language that venues and organizers of events are translated
// into. The parameter holds for the first ones of an answer only, which are the
// venues of the first event, or its organizers if it has no venue: showing them,
// WPML goes back to the root's language.
func (c Choice) Linked(first bool) string {
	if first {
		return c.Items()
	}
	return c.Root
}

// Mended returns the choice without the faults of WPML: the parameter alone decides,
// as if the request had come to the root of its language.
func (c Choice) Mended() Choice {
	if c.Wanted != "" {
		c.Root = c.Wanted
	}
	return c
}

// Resolve finds the language of the root that a request was sent to. path is
// relative to the home URL and starts with a slash; host is that of the request;
// lang is the query parameter of that name, "" for none or for anything but text.
// rest is the path without the directory of the language. code is "" where
// nothing chooses: the default language then.
//
// Codes count exactly as written. A directory wins over the parameter, and only
// WPML takes the parameter for a root at all.
func (l *Languages) Resolve(path, host, lang string) (code, rest string) {
	if l.Form == Directory {
		for i := range l.All {
			prefix := l.All[i].Prefix
			if prefix == "" {
				continue
			}
			if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') {
				return l.All[i].Code, "/" + strings.TrimLeft(rest, "/")
			}
		}
	}
	if l.Form == Domain {
		for i := range l.All {
			if sameHost(l.All[i].Host, host) {
				return l.All[i].Code, path
			}
		}
	}
	if l.Plugin == WPML && l.Find(lang) != nil {
		return lang, path
	}
	return "", path
}

// sameHost compares the host of a language with that of a request, whose port
// counts only if the language has one.
func sameHost(own, host string) bool {
	if !strings.Contains(own, ":") {
		host, _, _ = strings.Cut(host, ":")
	}
	return own != "" && strings.EqualFold(own, host)
}

// PolylangTerms returns the language that Polylang's own parameter lang selects for
// lists of terms, "" for all. absent covers a missing parameter and one that is
// no text. Codes match in any letter case; what matches none means the default.
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

// HomeURL returns the home URL of a language: the site's own with the language's host
// and directory. home has no trailing slash. An unknown code has the site's own.
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

// Argument returns what URLs of a language carry in their query: its code where the
// site tells languages apart by a parameter, else "".
func (l *Languages) Argument(code string) string {
	if l.Form != Parameter || code == l.Default || l.Find(code) == nil {
		return ""
	}
	return code
}

// Adjusts reports whether WPML replaces the ids that a request to the root of a
// language filters posts by: in all but the default language.
func (l *Languages) Adjusts(code string) bool {
	return l.Plugin != NoPlugin && code != "" && code != l.Default
}

// Wording returns the catalogue for a language code or a locale: "pt-br" and "pt_BR"
// are pt.
func Wording(code string) string {
	if i := strings.IndexAny(code, "-_"); i >= 0 {
		code = code[:i]
	}
	return strings.ToLower(code)
}
