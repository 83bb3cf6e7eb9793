package i18n

import (
	"net/url"
	"slices"
	"strings"
)

// WPMLFacts holds WPML's data about the languages of a site, from its option and its table
// of languages.
type WPMLFacts struct {
	Default string
	Order   []string // codes in the site's order; may be incomplete
	// Negotiation is the form of the URLs: 1 directories, 2 domains, 3 a parameter.
	Negotiation int64
	// DefaultDirectory reports whether the default language has a directory too.
	DefaultDirectory bool
	Domains          map[string]string // host by code
	Active           []Language        // code and locale, in the table's order
}

// FromWPML returns the languages of a site from WPML's data.
func FromWPML(f WPMLFacts) Languages {
	l := Languages{Plugin: WPML, Default: f.Default, Form: Directory, All: slices.Clone(f.Active)}
	switch f.Negotiation {
	case 2:
		l.Form = Domain
	case 3:
		l.Form = Parameter
	}
	place := func(code string) int {
		if i := slices.Index(f.Order, code); i >= 0 {
			return i
		}
		return len(f.Order)
	}
	slices.SortStableFunc(l.All, func(a, b Language) int { return place(a.Code) - place(b.Code) })
	l.order()
	for i := range l.All {
		lang := &l.All[i]
		switch l.Form {
		case Directory:
			if lang.Code != l.Default || f.DefaultDirectory {
				lang.Prefix = "/" + lang.Code
			}
		case Domain:
			lang.Host = hostOf(f.Domains[lang.Code])
		}
	}
	return l
}

// PolylangFacts holds Polylang's data about the languages of a site, from its option and
// the terms of its taxonomies.
type PolylangFacts struct {
	Default     string
	HideDefault bool // URLs of the default language have no language in them
	// Force is the form of the URLs: 0 no language in URLs, 1 directories, 2 subdomains,
	// 3 domains.
	Force int64
	// ShortDirectory reports whether the directory is only the code, not language/code.
	ShortDirectory bool
	Domains        map[string]string // URL by code
	All            []Language        // with code, locale and terms, in the site's order
}

// FromPolylang returns the languages of a site from Polylang's data. home is the site's
// home URL, from which subdomains are derived.
func FromPolylang(f PolylangFacts, home string) Languages {
	l := Languages{Plugin: Polylang, Default: f.Default, Form: Content, All: slices.Clone(f.All)}
	l.order()
	for i := range l.All {
		lang := &l.All[i]
		hidden := lang.Code == l.Default && f.HideDefault
		switch f.Force {
		case 1:
			l.Form = Directory
			if !hidden {
				lang.Prefix = "/" + lang.Code
				if !f.ShortDirectory {
					lang.Prefix = "/language/" + lang.Code
				}
			}
		case 2:
			l.Form = Domain
			if !hidden {
				lang.Host = lang.Code + "." + strings.TrimPrefix(hostOf(home), "www.")
			}
		case 3:
			l.Form = Domain
			lang.Host = hostOf(f.Domains[lang.Code])
		}
	}
	return l
}

// hostOf returns the host of a URL, or of the bare host that some versions of the plugins
// store.
func hostOf(text string) string {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Host
}
