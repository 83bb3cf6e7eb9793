package blocks

import (
	"slices"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/markup"
)

// RenderExcerpt reproduces WordPress's excerpt_remove_blocks: it renders blocks of text and
// drops all others.
func RenderExcerpt(s string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	r := renderer{site: site, res: res, req: req}
	var sb strings.Builder
	for _, b := range blockparse.Parse(s) {
		switch {
		case b.Name == "":
			sb.WriteString(b.Text())
		case !textBlocks[b.Name] && !wrapperBlocks[b.Name]:
		case r.hiddenWrapper(b):
		case wrapperBlocks[b.Name] && b.HasInner():
			r.excerptInner(&sb, b)
		case onlyText(b):
			sb.WriteString(r.block(b, blockParent{}))
		}
	}
	return sb.String()
}

// hiddenWrapper reports whether the texts in a hidden block are left out, as they are since
// WordPress 7.1.
func (r *renderer) hiddenWrapper(b *blockparse.Block) bool {
	return r.site.Traits.Has(trait.TextSince71) && r.hidden(b)
}

// onlyText reports whether all inner blocks are text without blocks of their own.
func onlyText(b *blockparse.Block) bool {
	return !slices.ContainsFunc(b.Inner(), func(inner *blockparse.Block) bool {
		return !textBlocks[inner.Name] || inner.HasInner()
	})
}

// excerptInner renders the text blocks inside a wrapper at any depth, without what is
// around them.
func (r *renderer) excerptInner(sb *strings.Builder, wrapper *blockparse.Block) {
	for _, b := range wrapper.Inner() {
		switch {
		case !textBlocks[b.Name] && !wrapperBlocks[b.Name] || r.hiddenWrapper(b):
		case b.HasInner():
			r.excerptInner(sb, b)
		default:
			sb.WriteString(r.block(b, blockParent{}))
		}
	}
}

// textBlocks and wrapperBlocks are the blocks that excerpts keep.
var (
	textBlocks = markup.WordSet(`core/freeform core/heading core/html core/list core/media-text core/paragraph
core/preformatted core/pullquote core/quote core/table core/verse`)
	wrapperBlocks = markup.WordSet("core/columns core/column core/group")
)
