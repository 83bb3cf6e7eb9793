package wptext

import (
	"slices"
	"strings"
)

// blockParent is what a block knows of the block around it.
type blockParent struct {
	name   string
	layout any // its attribute layout, nil without
}

// maxReusableDepth bounds how deep reusable blocks contain each other.
const maxReusableDepth = 16

// blockRenderer renders the blocks of one text, and of the reusable blocks that
// the text contains.
type blockRenderer struct {
	site     *Site
	res      *Resources
	req      *RequestState
	reusable []int64 // reusable blocks being rendered, outermost first
}

// Blocks replaces the blocks in s by their HTML. The comments vanish, the line
// breaks around them stay.
func Blocks(s string, site *Site, res *Resources, req *RequestState) string {
	r := blockRenderer{site: site, res: res, req: req}
	return r.text(s)
}

func (r *blockRenderer) text(s string) string {
	if !strings.Contains(s, "<!--") || !strings.Contains(s, "wp:") {
		return s
	}
	var sb strings.Builder
	sb.Grow(len(s))
	for _, b := range parseBlocks(s) {
		sb.WriteString(r.block(b, blockParent{}))
	}
	return sb.String()
}

// block renders one block with the blocks inside it.
func (r *blockRenderer) block(b *block, parent blockParent) string {
	if b.name == "" {
		return b.text()
	}
	if r.hidden(b) {
		return ""
	}
	if tecBlock(b.name) {
		return r.tecBlock(b)
	}
	if b.name == "core/block" {
		return r.reusableBlock(b)
	}
	if b.name == "core/social-link" {
		return r.socialLink(b)
	}
	if html, ok := r.site.ProfileBlocks[b.name]; ok && (b.void || dynamicBlock(b.name)) {
		return html
	}
	if dynamicBlock(b.name) || foreignBlock(b.name, r.site.StaticBlocks) {
		r.req.notRendered(b.name)
	}
	html := r.blockParts(b)
	if strings.HasPrefix(b.name, "core/") {
		html = r.coreBlock(b, parent, html)
	}
	return html
}

// hidden says whether the block is switched off in the editor, which WordPress
// knows since 6.9.
func (r *blockRenderer) hidden(b *block) bool {
	visible, isBool := b.attrIn("metadata", "blockVisibility").(bool)
	return isBool && !visible && r.site.WPVersion >= 609
}

// blockParts joins the block's text with its inner blocks, rendered.
func (r *blockRenderer) blockParts(b *block) string {
	if !b.hasInner() {
		return b.text()
	}
	self := blockParent{name: b.name, layout: b.attr("layout")}
	var sb strings.Builder
	for _, p := range b.parts {
		if p.inner == nil {
			sb.WriteString(p.text)
		} else {
			sb.WriteString(r.block(p.inner, self))
		}
	}
	return sb.String()
}

// coreBlock changes the saved HTML of a core block as WordPress does: first what
// the block's own callback does, then the filters for all blocks.
func (r *blockRenderer) coreBlock(b *block, parent blockParent, html string) string {
	switch b.name {
	case "core/heading":
		html = addClassTo(html, "wp-block-heading", "h1", "h2", "h3", "h4", "h5", "h6")
	case "core/list":
		html = addClassTo(html, "wp-block-list", "ul", "ol")
	case "core/image":
		html = imageBlock(b, parent, html)
	case "core/button":
		html = buttonBlock(html)
	case "core/shortcode":
		noteForeignShortcodes(html, r.site.Shortcodes, true, r.req.notRendered)
		html = Autop(html)
	case "core/gallery":
		if tag, ok := firstTag(html); ok {
			html = addClass(html, tag, "wp-block-gallery-"+r.req.uniqueID())
		}
	}
	if html == "" {
		return ""
	}
	countUncommonStyles(b, r.req)
	html = elementsClass(b, parent, html, r.site.WPVersion, r.req)
	html = layoutClasses(b, html, &r.site.Theme, r.site.WPVersion)
	if b.name == "core/paragraph" && r.site.WPVersion >= 700 {
		html = addClassTo(html, "wp-block-paragraph", "p")
	}
	if b.name == "core/button" {
		html = styleVariation(b, html, r.req)
	}
	if !r.site.Theme.ThemeJSON && b.name == "core/image" {
		html = wrapAlignedImage(b, html)
	}
	return html
}

func addClassTo(html, class string, names ...string) string {
	if tag, ok := firstTag(html, names...); ok {
		return addClass(html, tag, class)
	}
	return html
}

// reusableBlock renders a block saved for use in several posts.
func (r *blockRenderer) reusableBlock(b *block) string {
	id := toID(b.attr("ref"))
	content, ok := r.res.reusable(id)
	if !ok || slices.Contains(r.reusable, id) || len(r.reusable) >= maxReusableDepth {
		return ""
	}
	r.reusable = append(r.reusable, id)
	noteForeignShortcodes(content, r.site.Shortcodes, false, r.req.notRendered)
	html := r.text(expandEmbeds(content, r.site.Theme.ContentWidth, r.res))
	r.reusable = r.reusable[:len(r.reusable)-1]
	return html
}
