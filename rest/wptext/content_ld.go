package wptext

import (
	"strings"

	"calbridge/wpstore/php"
)

// ldWords is how many words of the content stand in for an excerpt in JSON-LD.
const ldWords = 30

// LDDescription returns the description in the JSON-LD of a post: TEC's excerpt
// as a JavaScript string. It is made from post_excerpt or, if that is empty,
// from the first 30 words of post_content.
func LDDescription(excerpt, content string, site *Site, res *Resources, req *RequestState) string {
	return EscJS(TECExcerpt(excerpt, content, site, res, req))
}

// TECExcerpt is The Events Calendar's excerpt of a post: HTML with few elements
// and without typographic replacements.
func TECExcerpt(excerpt, content string, site *Site, res *Resources, req *RequestState) string {
	text := excerpt
	fromContent := php.Empty(excerpt)
	if fromContent {
		text = content
	}
	if strings.Contains(text, "<!-- wp:") {
		text = ExcerptBlocks(text, site, res, req)
	}
	text = LDExcerptKses(withoutBracketed(text))
	if fromContent {
		text = TrimWords(text, ldWords, " [&hellip;]")
	}
	return Autop(text)
}

// withoutBracketed removes everything between brackets on one line, shortcode or
// not; empty brackets stay.
func withoutBracketed(s string) string {
	end, newline := newFinder(s, "]"), newFinder(s, "\n")
	out := patch{src: s}
	for pos := 0; ; {
		i := strings.IndexByte(s[pos:], '[')
		if i < 0 {
			return out.String()
		}
		start := pos + i
		pos = start + 1
		last := end.next(start + 2)
		if last < 0 {
			return out.String()
		}
		if n := newline.next(start + 1); n >= 0 && n < last {
			continue
		}
		out.replace(start, last+1)
		pos = last + 1
	}
}
