package blocks

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// toID reads the id of a post from an attribute; 0 is none.
func toID(v php.Value) int64 { return max(php.ToInt(v), 0) }

// imageBlock drops an image block without image, drops an empty caption, and
// marks images inside a gallery with their id.
func imageBlock(b *blockparse.Block, parent blockParent, html string) string {
	tag, ok := markup.FirstTag(html, "img")
	if !ok || tag.Value(html, "src") == "" {
		return ""
	}
	if id := b.Attr("id"); parent.name == "core/gallery" && !php.Empty(id) {
		html = markup.SetFirstAttr(html, tag, "data-id", escape.Attr(php.ToString(id)))
	}
	if php.Empty(b.Attr("caption")) {
		html = emptyCaption.ReplaceAllLiteralString(html, "")
	}
	return html
}

var emptyCaption = regexp.MustCompile(`<figcaption[^>]*></figcaption>`)

// wrapAlignedImage puts an aligned image into a box of its own, for themes without
// theme.json.
func wrapAlignedImage(b *blockparse.Block, html string) string {
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
	figure := slices.DeleteFunc(strings.Fields(classes), func(class string) bool { return markup.HasClass(box, class) })
	html = html[:a.ValueStart] + strings.Join(figure, " ") + html[a.ValueEnd:]
	return `<div class="` + escape.Attr(box) + `">` + html + "</div>"
}

// buttonBlock drops a button without text.
func buttonBlock(html string) string {
	tag, ok := markup.FirstTag(html, "a", "button")
	if !ok {
		return html
	}
	text := html[tag.End:]
	if i := scan.IndexFold(text, "</"+tag.Name); i >= 0 {
		text = text[:i]
	}
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return html
}

// styleVariation gives a button in one of the editor's styles a class of its own.
func styleVariation(b *blockparse.Block, html string, req *wptext.RequestState) string {
	for class := range strings.FieldsSeq(php.ToString(b.Attr("className"))) {
		style, ok := strings.CutPrefix(class, "is-style-")
		if !ok || style == "" || style == "default" || style == "fill" {
			continue
		}
		if tag, ok := markup.FirstTag(html); ok {
			html = markup.AddClass(html, tag, escape.Attr(class+"--"+req.UniqueID()))
		}
		break
	}
	return html
}

// elementsClass adds the class for the colours of links, headings and buttons inside
// the block (spec/rendering.md 8.4).
func elementsClass(b *blockparse.Block, parent blockParent, html string, counted bool, req *wptext.RequestState) string {
	if !coloursElements(b) {
		return html
	}
	var class string
	if counted {
		req.ElementIDs++
		class = "wp-elements-" + strconv.Itoa(req.ElementIDs)
	} else {
		parsed := b.AsArray()
		if parent.layout != nil {
			parsed.SetString("parentLayout", parent.layout)
		}
		class = "wp-elements-" + md5Hex(phpserial.Serialize(parsed))
	}
	return addClassTo(html, class)
}

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

// countUncommonStyles counts settings of a block for which WordPress adds markup that
// isn't modelled: a fixed position, a two-colour filter, a background image, a lightbox.
func countUncommonStyles(b *blockparse.Block, req *wptext.RequestState) {
	if b.Attrs.Len() == 0 {
		return
	}
	switch {
	case !php.Empty(b.AttrIn("style", "position", "type")):
		req.NotRendered(b.Name + " style.position")
	case !php.Empty(b.AttrIn("style", "color", "duotone")):
		req.NotRendered(b.Name + " style.color.duotone")
	case !php.Empty(b.AttrIn("style", "background", "backgroundImage")):
		req.NotRendered(b.Name + " style.background")
	case !php.Empty(b.AttrIn("lightbox", "enabled")):
		req.NotRendered(b.Name + " lightbox")
	}
}

// socialLink renders a link to a social service; the icon is site data.
func (r *renderer) socialLink(b *blockparse.Block) string {
	service := php.ToString(b.Attr("service"))
	url := php.ToString(b.Attr("url"))
	if url == "" {
		return ""
	}
	icon, ok := r.site.ProfileBlocks["core/social-link/"+service]
	if !ok {
		r.req.NotRendered(b.Name)
	}
	label := php.ToString(b.Attr("label"))
	if label == "" && service != "" {
		label = strings.ToUpper(service[:1]) + service[1:]
	}
	gap := " "
	if r.site.Traits.Has(trait.TwoSpacesInSocialLinks) {
		gap = "  "
	}
	return `<li class="wp-social-link wp-social-link-` + escape.Attr(service) + gap + `wp-block-social-link"><a href="` +
		r.site.Escape().SecureURL(url) + `" class="wp-block-social-link-anchor">` + icon +
		`<span class="wp-block-social-link-label screen-reader-text">` + escape.HTML(label) + `</span></a></li>`
}
