package blocks

import (
	"regexp"
	"slices"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"

	"calbridge/wpstore/php"
)

// toID reads the id of a post from an attribute; 0 is none.
func toID(v php.Value) int64 { return max(php.ToInt(v), 0) }

// imageBlock drops an image block without image, drops an empty caption, and
// marks images inside a gallery with their id.
func imageBlock(b *blockparse.Block, parent blockParent, html string, traits trait.Set) string {
	tag, ok := markup.FirstTag(html, "img")
	if !ok {
		return ""
	}
	if _, given := tag.Attr(html, "src"); !given || tag.Value(html, "src") == "" && !traits.Has(trait.TextBefore67) {
		return ""
	}
	if id := b.Attr("id"); parent.name == "core/gallery" && !php.Empty(id) {
		html = markup.SetFirstAttr(html, tag, "data-id", escape.Attr(php.ToString(id)))
	}
	if php.Empty(b.Attr("caption")) && !traits.Has(trait.TextBefore69) {
		html = emptyCaption.ReplaceAllLiteralString(html, "")
	}
	return html
}

var emptyCaption = regexp.MustCompile(`(?s)<figcaption[^>]*>(?:<!--.*?-->)*</figcaption>`)

// wrapAlignedImage puts an aligned image into a box of its own, for themes without
// theme.json. Before WordPress 6.9 the box ends with the image.
func wrapAlignedImage(b *blockparse.Block, html string, traits trait.Set) string {
	tag, found := markup.FirstTag(html, "figure")
	a, ok := tag.Attr(html, "class")
	if !found || !ok {
		return html
	}
	classes := html[a.ValueStart:a.ValueEnd]
	if !markup.HasClass(classes, "wp-block-image") ||
		!markup.HasClass(classes, "alignleft") && !markup.HasClass(classes, "aligncenter") && !markup.HasClass(classes, "alignright") {
		return html
	}
	own := php.ToString(b.Attr("className"))
	box := strings.TrimSpace("wp-block-image " + own)
	figure := strings.Join(slices.DeleteFunc(strings.Fields(classes), func(class string) bool { return markup.HasClass(box, class) }), " ")
	open := `<div class="` + escape.Attr(box) + `">`
	if !traits.Has(trait.TextBefore69) {
		return open + html[:a.Start] + `class="` + figure + `"` + html[a.End:] + "</div>"
	}
	html = html[:a.ValueStart] + figure + html[a.ValueEnd:]
	if end := strings.LastIndex(html, "</figure>"); end >= 0 {
		html = html[:end+len("</figure>")]
	}
	return open + html + "</div>"
}

// button drops a button without content, and gives one with a width of its own classes and
// a style for it.
func (r *renderer) button(d *drawn) {
	if !r.site.Traits.Has(trait.TextBefore66) && emptyButton(d.html) {
		d.html = ""
		return
	}
	width := php.ToString(d.block.AttrIn("style", "dimensions", "width"))
	tag, ok := markup.FirstTag(d.html)
	if width == "" || !ok || !r.site.Traits.Has(trait.TextSince71) {
		return
	}
	if strings.HasPrefix(width, "var:preset|") {
		r.req.NotRendered(d.block.Name + " style.dimensions.width")
		return
	}
	classes, style := "has-custom-width", "width: "+width+";"
	if percent, ok := strings.CutSuffix(width, "%"); ok && php.IsNumericString(percent) {
		classes += " wp-block-button__width"
		switch percent {
		case "25", "50", "75", "100":
			classes += " wp-block-button__width-" + percent
		}
		style = "--wp--block-button--width: " + percent + ";"
	}
	d.html = markup.AddClass(d.html, tag, classes)
	tag, _ = markup.FirstTag(d.html)
	if own := tag.Value(d.html, "style"); own != "" {
		style += " " + own
	}
	d.html = markup.SetAttrs(d.html, tag, markup.Setting{Name: "style", Value: escape.Attr(style)})
}

// emptyButton reports whether a button block has neither link nor button, or nothing but
// comments in the first.
func emptyButton(html string) bool {
	tag, ok := markup.FirstTag(html, "a", "button")
	if !ok {
		return true
	}
	text := html[tag.End:]
	if i := markup.IndexFold(text, "</"+tag.Name); i >= 0 {
		text = text[:i]
	}
	return htmlComment.ReplaceAllLiteralString(text, "") == ""
}

var htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)

// coloursElements reports whether the attribute style.elements colours something.
func coloursElements(b *blockparse.Block) bool {
	elements := b.AttrIn("style", "elements")
	if elements == nil {
		return false
	}
	at := func(path ...string) bool { return blockparse.In(elements, path...) != nil }
	if at("link", "color", "text") || at("link", ":hover", "color", "text") {
		return true
	}
	for _, element := range [...]string{"button", "heading", "h1", "h2", "h3", "h4", "h5", "h6"} {
		for _, property := range [...]string{"text", "background", "gradient"} {
			if at(element, "color", property) {
				return true
			}
		}
	}
	return false
}
