package blocks

import (
	"strconv"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// gallery numbers a gallery. One that shows the pictures of a post, as it can since WordPress
// 7.1, shows nothing: texts are rendered without a post.
func (r *renderer) gallery(d *drawn) {
	if d.block.Attr("dynamicContent") != nil && r.site.Traits.Has(trait.TextSince71) {
		d.html = ""
		return
	}
	d.html = addClassTo(d.html, "wp-block-gallery-"+r.req.UniqueID())
}

// video gives a film of the media library its size (since WordPress 6.9).
func (r *renderer) video(d *drawn) {
	id, ok := d.block.Attr("id").(int64)
	tag, found := markup.FirstTag(d.html, "video")
	if !ok || !found || r.site.Traits.Has(trait.TextBefore69) || r.res.Attachments[id] == nil {
		return
	}
	meta, _ := r.res.Attachments[id].Metadata.(*php.Array)
	width, height := php.ToInt(meta.At("width")), php.ToInt(meta.At("height"))
	if width <= 0 || height <= 0 {
		return
	}
	w, h := strconv.FormatInt(width, 10), strconv.FormatInt(height, 10)
	style := "aspect-ratio: " + w + " / " + h + ";"
	if own := tag.Value(d.html, "style"); own != "" {
		style += own
	}
	d.html = markup.SetAttrs(d.html, tag, markup.Setting{Name: "width", Value: w}, markup.Setting{Name: "height", Value: h}, markup.Setting{Name: "style", Value: style})
}

// The labels of an embedded PDF file, in English.
const (
	unnamedPDF = "PDF embed"
	namedPDF   = "Embed of %s."
)

// file prepares the preview of a PDF file for the script that shows it. Its label is in the
// language of the site; that of others than English is counted as not rendered.
func (r *renderer) file(d *drawn) {
	traits := r.site.Traits
	past := traits.Has(trait.TextBefore66)
	preview := php.Truthy(d.block.Attr("displayPreview"))
	bound := markup.Setting{Name: "data-wp-bind--hidden", Value: "!state.hasPdfPreview"}
	object, found := markup.FirstTag(d.html, "object")
	var settings []markup.Setting
	if preview {
		settings = []markup.Setting{bound, {Name: "hidden", Bare: true}}
	}
	if _, given := object.Attr(d.html, "aria-label"); found && (preview || past) && (given || !past) {
		settings = append(settings, markup.Setting{Name: "aria-label", Value: r.labelOfPDF(object.Value(d.html, "aria-label"))})
	}
	if found {
		d.html = markup.SetAttrs(d.html, object, settings...)
		if traits.Has(trait.TextBefore67) { // the attribute is removed again, but not its blank
			written := bound.Name + `="` + bound.Value + `" `
			d.html = strings.Replace(d.html, written+"hidden", written, 1)
		}
	}
	if !preview || !found && !traits.Has(trait.TextBefore69) {
		return
	}
	if tag, ok := markup.FirstTag(d.html); ok {
		d.html = markup.SetAttrs(d.html, tag, markup.Setting{Name: "data-wp-interactive", Value: d.block.Name})
	}
}

// labelOfPDF returns the label of an embedded PDF file with a name, which may be empty.
func (r *renderer) labelOfPDF(name string) string {
	if !strings.HasPrefix(r.site.Locale.Name, "en") {
		r.req.NotRendered("core/file displayPreview")
	}
	if name == "" || name == unnamedPDF {
		return unnamedPDF
	}
	return strings.Replace(namedPDF, "%s", name, 1)
}

// accordion prepares an accordion for the script that opens its items.
func accordion(b *blockparse.Block, html string) string {
	tag, ok := markup.FirstTag(html)
	if !ok {
		return html
	}
	closes := strconv.FormatBool(php.Truthy(b.Attr("autoclose")))
	return markup.SetAttrs(html, tag,
		markup.Setting{Name: "data-wp-interactive", Value: b.Name},
		markup.Setting{Name: "data-wp-context", Value: escape.TagValue(`{ "autoclose": ` + closes + `, "accordionItems": [] }`)})
}

// accordionItem prepares an item: its first tag, the button of its heading and its panel.
func (r *renderer) accordionItem(d *drawn) {
	tag, ok := markup.FirstTag(d.html)
	if !ok {
		return
	}
	traits := r.site.Traits
	newest := traits.Has(trait.TextSince71)
	open := php.Truthy(d.block.Attr("openByDefault"))
	id := "accordion-item-" + r.req.UniqueID()
	html := markup.SetAttrs(d.html, tag,
		markup.Setting{Name: "data-wp-class--is-open", Value: "state.isOpen"},
		markup.Setting{Name: "data-wp-context", Value: escape.TagValue(`{ "id": "` + id + `", "openByDefault": ` + strconv.FormatBool(open) + ` }`)},
		markup.Setting{Name: "data-wp-init", Value: "callbacks.initAccordionItems"},
		markup.Setting{Name: "data-wp-on-window--hashchange", Value: "callbacks.hashChange"})
	button := []markup.Setting{
		{Name: "id", Value: id}, {Name: "aria-controls", Value: id + "-panel"},
		{Name: "data-wp-on--click", Value: "actions.toggle"}, {Name: "data-wp-bind--aria-expanded", Value: "state.isOpen"},
	}
	panel := []markup.Setting{{Name: "id", Value: id + "-panel"}, {Name: "aria-labelledby", Value: id}}
	if newest {
		panel = append(panel, markup.Setting{Name: "data-wp-bind--hidden", Value: "state.isHidden"}, markup.Setting{Name: "data-wp-on--beforematch", Value: "actions.handleBeforeMatch"})
	} else {
		button = append(button, markup.Setting{Name: "data-wp-on--keydown", Value: "actions.handleKeyDown"})
		panel = append(panel, markup.Setting{Name: "data-wp-bind--inert", Value: "!state.isOpen"})
	}
	html = setOnClass(html, "wp-block-accordion-heading__toggle", button...)
	html = setOnClass(html, "wp-block-accordion-heading__toggle", markup.Setting{Name: "aria-expanded", Value: strconv.FormatBool(open)})
	html = setOnClass(html, "wp-block-accordion-panel", panel...)
	if !open {
		if !newest {
			html = setOnClass(html, "wp-block-accordion-panel", markup.Setting{Name: "inert", Bare: true})
		}
		if !traits.Has(trait.TextBefore70) {
			html = setOnImages(html, "low")
		}
	}
	d.html = html
}

// setOnClass sets attributes of the first tag with a class.
func setOnClass(html, class string, settings ...markup.Setting) string {
	for tag := range markup.Tags(html) {
		if markup.HasClass(tag.Value(html, "class"), class) {
			return markup.SetAttrs(html, tag, settings...)
		}
	}
	return html
}

// override replaces the text of a block in a reusable one by what the reusable block's
// attribute content has for its name. Before WordPress 6.9 the white space around the block's
// element is lost.
func (r *renderer) override(d *drawn, attribute string, names ...string) {
	if r.overrides == nil {
		return
	}
	name := php.ToString(d.block.AttrIn("metadata", "name"))
	values, ok := r.overrides.At(name).(*php.Array)
	if !ok || !overridable(d.block, attribute) {
		return
	}
	text, ok := values.At(attribute).(string)
	tag, found := markup.FirstTag(d.html, names...)
	if !ok || !found {
		return
	}
	end := strings.LastIndex(d.html, "</"+tag.Name)
	if end < tag.End {
		return
	}
	d.html = d.html[:tag.End] + text + d.html[end:]
	if r.site.Traits.Has(trait.TextBefore69) {
		d.html = strings.TrimSpace(d.html)
	}
}

// overridable reports whether an attribute of a block is bound to the reusable block around
// it.
func overridable(b *blockparse.Block, attribute string) bool {
	for _, name := range [...]string{attribute, "__default"} {
		if php.ToString(b.AttrIn("metadata", "bindings", name, "source")) == "core/pattern-overrides" {
			return true
		}
	}
	return false
}
