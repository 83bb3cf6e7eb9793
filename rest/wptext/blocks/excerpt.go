package blocks

import (
	"slices"
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blockparse"
)

// RenderExcerpt is WordPress's excerpt_remove_blocks: it renders the blocks that
// consist of text and drops all others.
func RenderExcerpt(s string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	r := renderer{site: site, res: res, req: req}
	var sb strings.Builder
	for _, b := range blockparse.Parse(s) {
		switch {
		case b.Name != "" && !textBlock(b.Name) && !wrapperBlock(b.Name):
		case !b.HasInner():
			sb.WriteString(r.block(b, blockParent{}))
		case wrapperBlock(b.Name):
			r.excerptInner(&sb, b)
		case onlyText(b):
			sb.WriteString(r.block(b, blockParent{}))
		}
	}
	return sb.String()
}

// onlyText says whether all inner blocks are text without blocks of their own.
func onlyText(b *blockparse.Block) bool {
	return !slices.ContainsFunc(b.Inner(), func(inner *blockparse.Block) bool {
		return !textBlock(inner.Name) || inner.HasInner()
	})
}

// excerptInner renders the text blocks inside a wrapper, at any depth and without
// what is around them.
func (r *renderer) excerptInner(sb *strings.Builder, wrapper *blockparse.Block) {
	for _, b := range wrapper.Inner() {
		switch {
		case !textBlock(b.Name) && !wrapperBlock(b.Name):
		case b.HasInner():
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
