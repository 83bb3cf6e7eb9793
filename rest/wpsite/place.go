package wpsite

import (
	"cmp"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Place is the root and the language of one response. It is a value: methods that move it to
// another root return a copy.
type Place struct {
	Site  *Site
	HTTPS bool
	Links *Links
	Text  *wptext.Site // the site's facts for rendering
	Words *api.Wording
	Lang  i18n.Choice
	// GlobalID is the start of global ids.
	GlobalID string
	// BareHome reports that only the parameter lang chose the root, and ids of new posts have no
	// language.
	BareHome bool
	// Foreign reports that the links of the response lead to another root than the request's, and
	// that WordPress does not recognise them as its own.
	Foreign bool
}

// Place returns the root of the site itself, over one scheme.
func (s *Site) Place(https bool) Place {
	l := s.links[index(https)][""]
	return Place{Site: s, HTTPS: https, Links: l, Text: s.text[index(https)], Words: s.WordingFor(""), GlobalID: l.GlobalID}
}

// EnterRoot sets the language of the root that a request was sent to, and returns the path
// without it. lang is the query parameter of that name.
func (p *Place) EnterRoot(path, host string, lang php.Value) string {
	l := &p.Site.Languages
	if !l.Roots {
		return path
	}
	text, _ := lang.(string)
	code, rest := l.Resolve(path, host, text)
	if code == "" && l.Plugin == i18n.WPML {
		code = l.Default
	}
	p.Lang.Root = code
	p.Links = p.LinksFor(code)
	p.Words = p.Site.WordingFor(code)
	// Global ids do not have a root that only the parameter lang chose.
	p.BareHome = rest == path && code == text && l.Form == i18n.Directory
	if !p.BareHome {
		p.GlobalID = p.Links.GlobalID
	}
	return rest
}

// Want sets the language parameter, which is valid.
func (p *Place) Want(code string) {
	p.Lang.Wanted = code
	if code == "" {
		return
	}
	p.Words = p.Site.WordingFor(code)
	// Only WPML has faults to repeat here (known difference F5): Polylang has no such
	// parameter.
	if p.Site.Languages.Plugin != i18n.WPML || p.Site.Compat.Fixed() {
		p.move()
	}
}

func (p *Place) move() {
	if p.Lang.Wanted != "" && p.Site.Languages.Roots {
		p.Lang = p.Lang.Mended()
		p.Links = p.LinksFor(p.Lang.Root)
		p.GlobalID = p.Links.GlobalID
	}
}

// Moved returns the root of the language that the request wants.
func (p Place) Moved() *Place {
	p.move()
	return &p
}

// MovedForTerm returns the root of the language that a request about one term wants.
func (p Place) MovedForTerm() *Place {
	p.Foreign = p.Lang.Items() != p.Lang.Root
	p.move()
	return &p
}

// LinksFor returns the URLs of a language's root, the site's own for a language that it
// lacks.
func (p *Place) LinksFor(code string) *Links {
	all := p.Site.links[index(p.HTTPS)]
	return cmp.Or(all[code], all[""])
}

// PostURL returns the public URL of a post, in the post's language. viewable reports that its
// status lets this client see the pretty form.
func (p *Place) PostURL(post *wpstore.Post, viewable bool) string {
	return p.LinksFor(post.Language).Post(post, viewable)
}

// In restricts a query to a language; "" to none.
func (p *Place) In(code string) wpstore.InLanguage {
	if p.Site.Languages.Plugin == i18n.NoPlugin {
		return wpstore.InLanguage{}
	}
	return wpstore.In(&p.Site.Languages.Languages, code)
}

// LanguageCode returns the language that the URL or the parameter chose, "" for none.
func (p *Place) LanguageCode() string {
	if p.Lang.Wanted != "" {
		return strings.ToLower(p.Lang.Wanted)
	}
	return p.Lang.Root
}

// TermLanguage returns the language of a list of terms. Polylang's own parameter lang
// applies where neither the root nor the advertised parameter chooses.
func (p *Place) TermLanguage(lang php.Value) string {
	l := &p.Site.Languages
	code := p.Lang.Items()
	if code == "" && l.Plugin == i18n.Polylang {
		text, ok := lang.(string)
		code = l.PolylangTerms(text, !ok)
	}
	return code
}

// LanguageOfSlugs returns the language in which an event filter looks up slugs, "" for
// any: under Polylang that of its parameter lang.
func (p *Place) LanguageOfSlugs(lang php.Value) string {
	if p.Site.Languages.Plugin != i18n.Polylang || p.Lang.Items() != "" {
		return ""
	}
	code := p.TermLanguage(lang)
	if p.Site.Languages.Find(code) == nil {
		return ""
	}
	return code
}
