package blocks

import (
	"slices"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/embed"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/shortcode"
)

// blockParent is what rendering a block needs of the block around it.
type blockParent struct {
	name   string
	layout any // its attribute layout, nil without
}

// maxReusableDepth bounds how deep reusable blocks contain each other.
const maxReusableDepth = 16

// renderer renders the blocks of one text, and of the reusable blocks that
// the text contains.
type renderer struct {
	site     *wptext.Site
	res      *wptext.Resources
	req      *wptext.RequestState
	reusable []int64 // reusable blocks being rendered, outermost first
}

// Render replaces the blocks in s by their HTML. The comments vanish, the line feeds
// around them stay.
func Render(s string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	r := renderer{site: site, res: res, req: req}
	return r.text(s)
}

func (r *renderer) text(s string) string {
	if !strings.Contains(s, "<!--") || !strings.Contains(s, "wp:") {
		return s
	}
	var sb strings.Builder
	sb.Grow(len(s))
	for _, b := range blockparse.Parse(s) {
		sb.WriteString(r.block(b, blockParent{}))
	}
	return sb.String()
}

// block renders one block with the blocks inside it.
func (r *renderer) block(b *blockparse.Block, parent blockParent) string {
	if b.Name == "" {
		return b.Text()
	}
	switch {
	case r.hidden(b):
		return ""
	case tecBlocks[b.Name]:
		return r.tecBlock(b)
	case b.Name == "core/block":
		return r.reusableBlock(b)
	case b.Name == "core/social-link":
		return r.socialLink(b)
	}
	if html, ok := r.site.ProfileBlocks[b.Name]; ok && (b.Void || dynamicBlock(b.Name)) {
		return html
	}
	if dynamicBlock(b.Name) || foreignBlock(b.Name, r.site.StaticBlocks) {
		r.req.NotRendered(b.Name)
	}
	html := r.blockParts(b)
	if strings.HasPrefix(b.Name, "core/") {
		html = r.coreBlock(b, parent, html)
	}
	return html
}

// hidden reports whether the block is hidden in the editor (since WordPress 6.9).
func (r *renderer) hidden(b *blockparse.Block) bool {
	visible, isBool := b.AttrIn("metadata", "blockVisibility").(bool)
	return isBool && !visible && !r.site.Traits.Has(trait.HiddenBlocksShow)
}

// blockParts joins the block's text with its inner blocks, rendered.
func (r *renderer) blockParts(b *blockparse.Block) string {
	if !b.HasInner() {
		return b.Text()
	}
	self := blockParent{name: b.Name, layout: b.Attr("layout")}
	var sb strings.Builder
	for _, p := range b.Parts {
		if p.Inner == nil {
			sb.WriteString(p.Text)
		} else {
			sb.WriteString(r.block(p.Inner, self))
		}
	}
	return sb.String()
}

// coreBlock changes the saved HTML of a core block (spec/rendering.md 8.2): first what
// the block's own callback does, then the filters for all blocks.
func (r *renderer) coreBlock(b *blockparse.Block, parent blockParent, html string) string {
	switch b.Name {
	case "core/heading":
		html = addClassTo(html, "wp-block-heading", "h1", "h2", "h3", "h4", "h5", "h6")
	case "core/list":
		html = addClassTo(html, "wp-block-list", "ul", "ol")
	case "core/image":
		html = imageBlock(b, parent, html)
	case "core/button":
		html = buttonBlock(html)
	case "core/shortcode":
		shortcode.NoteForeign(html, r.site.Shortcodes, true, r.req.NotRendered)
		html = paragraph.Autop(html)
	case "core/gallery":
		if tag, ok := markup.FirstTag(html); ok {
			html = markup.AddClass(html, tag, "wp-block-gallery-"+r.req.UniqueID())
		}
	}
	if html == "" {
		return ""
	}
	if placedInLayout(b) {
		html = contentClass(b, html, r.site.Traits, r.req)
	}
	countUncommonStyles(b, r.req)
	html = elementsClass(b, parent, html, r.site.Traits.Has(trait.ElementClassesAreCounted), r.req)
	html = layoutClasses(b, html, r.site, r.req)
	if b.Name == "core/paragraph" && !r.site.Traits.Has(trait.ParagraphsWithoutClass) {
		html = addClassTo(html, "wp-block-paragraph", "p")
	}
	if b.Name == "core/button" {
		html = styleVariation(b, html, r.req)
	}
	if !r.site.Theme.ThemeJSON && b.Name == "core/image" {
		html = wrapAlignedImage(b, html)
	}
	return html
}

// addClassTo adds a class to the first tag with one of the names, or to the first tag.
func addClassTo(html, class string, names ...string) string {
	if tag, ok := markup.FirstTag(html, names...); ok {
		return markup.AddClass(html, tag, class)
	}
	return html
}

// reusableBlock renders a block saved for use in several posts.
func (r *renderer) reusableBlock(b *blockparse.Block) string {
	id := toID(b.Attr("ref"))
	content, ok := r.res.Blocks[id]
	if !ok || slices.Contains(r.reusable, id) || len(r.reusable) >= maxReusableDepth {
		return ""
	}
	r.reusable = append(r.reusable, id)
	shortcode.NoteForeign(content, r.site.Shortcodes, false, r.req.NotRendered)
	html := r.text(embed.Expand(content, r.site.Theme.ContentWidth, r.res))
	r.reusable = r.reusable[:len(r.reusable)-1]
	return html
}
