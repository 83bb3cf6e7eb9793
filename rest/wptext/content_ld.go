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
		r := &renderer{site: site, res: res, req: req}
		text = r.excerptBlocks(text)
	}
	text = LDExcerptKses(withoutBracketed(text))
	if fromContent {
		text = TrimWords(text, ldWords, " [&hellip;]")
	}
	return Autop(text)
}

// excerptBlocks renders the blocks that consist of text and drops all others.
func (r *renderer) excerptBlocks(s string) string {
	var sb strings.Builder
	for _, b := range parseBlocks(s) {
		switch {
		case b.name != "" && !textBlock(b.name) && !wrapperBlock(b.name):
		case !b.hasInner():
			sb.WriteString(r.block(b, blockParent{}))
		case wrapperBlock(b.name):
			r.excerptInner(&sb, b)
		case onlyText(b):
			sb.WriteString(r.block(b, blockParent{}))
		}
	}
	return sb.String()
}

// onlyText says whether all inner blocks are text without blocks of their own.
func onlyText(b *block) bool {
	for _, inner := range b.inner() {
		if !textBlock(inner.name) || inner.hasInner() {
			return false
		}
	}
	return true
}

// excerptInner renders the text blocks inside a wrapper, at any depth and without
// what is around them.
func (r *renderer) excerptInner(sb *strings.Builder, wrapper *block) {
	for _, b := range wrapper.inner() {
		switch {
		case !textBlock(b.name) && !wrapperBlock(b.name):
		case b.hasInner():
			r.excerptInner(sb, b)
		default:
			sb.WriteString(r.block(b, blockParent{}))
		}
	}
}

func textBlock(name string) bool {
	switch name {
	case "core/freeform", "core/heading", "core/html", "core/list", "core/media-text", "core/paragraph",
		"core/preformatted", "core/pullquote", "core/quote", "core/table", "core/verse":
		return true
	}
	return false
}

func wrapperBlock(name string) bool {
	return name == "core/columns" || name == "core/column" || name == "core/group"
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
