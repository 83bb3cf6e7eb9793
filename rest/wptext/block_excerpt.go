package wptext

import "strings"

// ExcerptBlocks is WordPress's excerpt_remove_blocks: it renders the blocks that
// consist of text and drops all others.
func ExcerptBlocks(s string, site *Site, res *Resources, req *RequestState) string {
	r := blockRenderer{site: site, res: res, req: req}
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
func (r *blockRenderer) excerptInner(sb *strings.Builder, wrapper *block) {
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
