package blocks

import (
	"slices"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/media"
	"calbridge/rest/wptext/paragraph"
	"calbridge/wpstore/php"
)

// blockParent is what rendering a block needs of the block around it.
type blockParent struct {
	name   string
	layout any // its attribute layout, nil without
	attrs  *php.Array
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
	// overrides are the values that the reusable block being rendered has for the blocks in
	// it, by their names; nil without.
	overrides *php.Array
}

// Render replaces the blocks in s by their HTML. The comments vanish, the line feeds
// around them stay.
func Render(s string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	r := renderer{site: site, res: res, req: req}
	return r.text(s)
}

func (r *renderer) text(s string) string {
	if !strings.Contains(s, "<!--") || !strings.Contains(s, "wp:") {
		return withoutNotes(s, r.site.Traits)
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
		return withoutNotes(b.Text(), r.site.Traits)
	}
	if r.hidden(b) {
		return ""
	}
	return withoutNotes(r.visible(b, parent), r.site.Traits)
}

// visible renders a block that is not hidden.
func (r *renderer) visible(b *blockparse.Block, parent blockParent) string {
	if tecBlocks[b.Name] {
		return r.tecBlock(b)
	}
	d := drawn{block: b, parent: parent}
	switch b.Name {
	case "core/block":
		d.html = r.reusableBlock(b)
		return r.finish(&d)
	case "core/social-link":
		d.html = r.socialLink(b, parent)
		return r.finish(&d)
	}
	if html, ok := r.site.ProfileBlocks[b.Name]; ok && (b.Void || r.dynamic(b.Name)) {
		return html
	}
	if r.registered(b.Name) && needsPHP(b.Name, &r.site.PluginBlocks) {
		r.req.NotRendered(b.Name)
	}
	r.colour(&d)
	html := r.blockParts(b)
	if !strings.HasPrefix(b.Name, "core/") {
		return addElements(&d, html)
	}
	d.html = html
	if r.registered(b.Name) {
		r.ownStep(&d)
	}
	return r.finish(&d)
}

// hidden reports whether the block is hidden in the editor (since WordPress 6.9).
func (r *renderer) hidden(b *blockparse.Block) bool {
	visible, isBool := b.AttrIn("metadata", "blockVisibility").(bool)
	if !isBool || visible || r.site.Traits.Has(trait.HiddenBlocksShow) || !r.registered(b.Name) {
		return false
	}
	if r.site.PluginBlocks.Foreign(b.Name) {
		r.req.NotRendered(b.Name) // it shows on sites without its plugin
	}
	return !alwaysVisible[b.Name] || !r.site.Traits.Has(trait.TextBefore70)
}

// blockParts joins the block's text with its inner blocks, rendered.
func (r *renderer) blockParts(b *blockparse.Block) string {
	if !b.HasInner() {
		return b.Text()
	}
	self := blockParent{name: b.Name, layout: b.Attr("layout"), attrs: b.Attrs}
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

// ownStep does to the HTML of a core block what that block's own callback does.
func (r *renderer) ownStep(d *drawn) {
	b := d.block
	switch b.Name {
	case "core/heading":
		r.override(d, "content", "h1", "h2", "h3", "h4", "h5", "h6")
		d.html = addClassTo(d.html, "wp-block-heading", "h1", "h2", "h3", "h4", "h5", "h6")
	case "core/paragraph":
		r.override(d, "content", "p")
	case "core/list":
		if !r.site.Traits.Has(trait.TextBefore66) {
			d.html = addClassTo(d.html, "wp-block-list", "ul", "ol")
		}
	case "core/image":
		d.html = imageBlock(b, d.parent, d.html, r.site.Traits)
	case "core/button":
		r.override(d, "text", "a", "button")
		r.button(d)
	case "core/shortcode":
		r.site.Shortcodes.Note(d.html, true, r.req.NotRendered)
		d.html = paragraph.Autop(d.html)
	case "core/gallery":
		r.gallery(d)
	case "core/file":
		r.file(d)
	case "core/video":
		r.video(d)
	case "core/details":
		if !php.Truthy(b.Attr("showContent")) && !r.site.Traits.Has(trait.TextBefore70) {
			d.html = setOnImages(d.html, "low")
		}
	case "core/accordion":
		d.html = accordion(b, d.html)
	case "core/accordion-item":
		r.accordionItem(d)
	}
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
	outer := r.overrides
	r.reusable, r.overrides = append(r.reusable, id), nil
	if own, ok := b.Attr("content").(*php.Array); ok && !r.site.Traits.Has(trait.TextBefore66) {
		r.overrides = own
	}
	r.site.Shortcodes.Note(content, false, r.req.NotRendered)
	html := r.text(media.ExpandEmbeds(content, r.site.Theme.ContentWidth, r.res))
	r.reusable, r.overrides = r.reusable[:len(r.reusable)-1], outer
	return html
}
