package content

import (
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blocks"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore/php"
)

// ldWords is how many words of the content, or characters, replace a missing excerpt.
const ldWords = 30

// LDDescription returns the description in a post's JSON-LD: TEC's excerpt as a
// JavaScript string.
func LDDescription(excerpt, content, more string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	return site.Escape().JS(TECExcerpt(excerpt, content, more, site, res, req))
}

// TECExcerpt reproduces The Events Calendar's excerpt of a post: from
// post_excerpt or, if that is empty, the first words of post_content and more, as HTML with
// few elements and without typography.
func TECExcerpt(excerpt, content, more string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	text := excerpt
	fromContent := php.Empty(excerpt)
	if fromContent {
		text = content
	}
	if strings.Contains(text, "<!-- wp:") {
		text = blocks.RenderExcerpt(text, site, res, req)
	}
	text = kses.LDExcerpt(withoutBracketed(text), site.Traits)
	if fromContent {
		trim := sanitize.TrimWords
		if site.Locale.CountsCharacters {
			trim = sanitize.TrimCharacters
		}
		text = trim(text, ldWords, more)
	}
	return paragraph.Autop(text)
}

// withoutBracketed removes everything between brackets on one line; empty brackets stay.
func withoutBracketed(s string) string {
	end, newline := markup.NewFinder(s, "]"), markup.NewFinder(s, "\n")
	p := markup.Patch{Src: s}
	for i := range p.Each("[") {
		last, line := end.Next(i+2), newline.Next(i+1)
		if last >= 0 && (line < 0 || line > last) {
			p.Replace(i, last+1)
		}
	}
	return p.String()
}
