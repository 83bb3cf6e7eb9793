package content

import (
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blocks"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/sanitize"
	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// ldWords is how many words of the content stand in for an excerpt in JSON-LD.
const ldWords = 30

// LDDescription returns the description in the JSON-LD of a post: TEC's excerpt
// as a JavaScript string. It is made from post_excerpt or, if that is empty,
// from the first 30 words of post_content.
func LDDescription(excerpt, content string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	return escape.JS(TECExcerpt(excerpt, content, site, res, req))
}

// TECExcerpt is The Events Calendar's excerpt of a post: HTML with few elements
// and without typographic replacements.
func TECExcerpt(excerpt, content string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	text := excerpt
	fromContent := php.Empty(excerpt)
	if fromContent {
		text = content
	}
	if strings.Contains(text, "<!-- wp:") {
		text = blocks.RenderExcerpt(text, site, res, req)
	}
	text = kses.LDExcerpt(withoutBracketed(text))
	if fromContent {
		text = sanitize.TrimWords(text, ldWords, " [&hellip;]")
	}
	return paragraph.Autop(text)
}

// withoutBracketed removes everything between brackets on one line, shortcode or
// not; empty brackets stay.
func withoutBracketed(s string) string {
	end, newline := scan.NewFinder(s, "]"), scan.NewFinder(s, "\n")
	out := scan.Patch{Src: s}
	for pos := 0; ; {
		i := strings.IndexByte(s[pos:], '[')
		if i < 0 {
			return out.String()
		}
		start := pos + i
		pos = start + 1
		last := end.Next(start + 2)
		if last < 0 {
			return out.String()
		}
		if n := newline.Next(start + 1); n >= 0 && n < last {
			continue
		}
		out.Replace(start, last+1)
		pos = last + 1
	}
}
