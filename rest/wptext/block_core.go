package wptext

import (
	"regexp"
	"strconv"
	"strings"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// toID reads the id of a post from an attribute; 0 is none.
func toID(v php.Value) int64 { return max(php.ToInt(v), 0) }

// imageBlock drops an image block without image, drops an empty caption, and
// marks images inside a gallery with their id.
func imageBlock(b *block, parent blockParent, html string) string {
	tag, ok := firstTag(html, "img")
	if !ok || tag.value(html, "src") == "" {
		return ""
	}
	if id := b.attr("id"); parent.name == "core/gallery" && !php.Empty(id) {
		html = setFirstAttr(html, tag, "data-id", EscAttr(php.ToString(id)))
	}
	if php.Empty(b.attr("caption")) {
		html = emptyCaption.ReplaceAllLiteralString(html, "")
	}
	return html
}

var emptyCaption = regexp.MustCompile(`<figcaption[^>]*></figcaption>`)

// wrapAlignedImage puts an aligned image into a box of its own, as WordPress
// does for themes without theme.json.
func wrapAlignedImage(b *block, html string) string {
	tag, ok := firstTag(html, "figure")
	if !ok {
		return html
	}
	a, ok := tag.attr(html, "class")
	if !ok {
		return html
	}
	classes := html[a.valueStart:a.valueEnd]
	if !hasClass(classes, "wp-block-image") ||
		!hasClass(classes, "alignleft") && !hasClass(classes, "aligncenter") && !hasClass(classes, "alignright") {
		return html
	}
	own := php.ToString(b.attr("className"))
	box := strings.TrimSpace("wp-block-image " + own)
	var kept []string
	for class := range strings.FieldsSeq(classes) {
		if !hasClass(box, class) {
			kept = append(kept, class)
		}
	}
	html = html[:a.valueStart] + strings.Join(kept, " ") + html[a.valueEnd:]
	return `<div class="` + EscAttr(box) + `">` + html + "</div>"
}

// buttonBlock drops a button without text.
func buttonBlock(html string) string {
	tag, ok := firstTag(html, "a", "button")
	if !ok {
		return html
	}
	text := html[tag.end:]
	if i := indexFold(text, "</"+tag.name); i >= 0 {
		text = text[:i]
	}
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return html
}

// styleVariation gives a button in one of the editor's styles the class of this
// very button.
func styleVariation(b *block, html string, req *RequestState) string {
	for class := range strings.FieldsSeq(php.ToString(b.attr("className"))) {
		style, ok := strings.CutPrefix(class, "is-style-")
		if !ok || style == "" || style == "default" || style == "fill" {
			continue
		}
		if tag, ok := firstTag(html); ok {
			html = addClass(html, tag, EscAttr(class+"--"+req.uniqueID()))
		}
		break
	}
	return html
}

// elementsClass adds the class under which WordPress puts the colours of links,
// headings and buttons inside the block.
func elementsClass(b *block, parent blockParent, html string, wpVersion int, req *RequestState) string {
	if !coloursElements(b) {
		return html
	}
	var class string
	if wpVersion >= 701 {
		req.elementIDs++
		class = "wp-elements-" + strconv.Itoa(req.elementIDs)
	} else {
		parsed := b.asArray()
		if parent.layout != nil {
			parsed.SetString("parentLayout", parent.layout)
		}
		class = "wp-elements-" + md5Hex(phpserial.Serialize(parsed))
	}
	if tag, ok := firstTag(html); ok {
		html = addClass(html, tag, class)
	}
	return html
}

// coloursElements says whether the attribute style.elements colours something.
func coloursElements(b *block) bool {
	elements, ok := b.attrIn("style", "elements").(*php.Array)
	if !ok {
		return false
	}
	at := func(path ...string) bool {
		var v php.Value = elements
		for _, name := range path {
			a, _ := v.(*php.Array)
			v = a.At(name)
		}
		return v != nil
	}
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

// countUncommonStyles counts settings of a block for which WordPress adds markup
// that is not known here: a place of its own in the layout around it, a fixed
// position, a two-colour filter, an image that opens in front of the page.
func countUncommonStyles(b *block, req *RequestState) {
	if b.attrs.Len() == 0 {
		return
	}
	stretch := php.ToString(b.attrIn("style", "layout", "selfStretch"))
	switch {
	case stretch == "fixed", stretch == "fill",
		b.attrIn("style", "layout", "columnSpan") != nil, b.attrIn("style", "layout", "rowSpan") != nil:
		req.notRendered(b.name + " style.layout")
	case !php.Empty(b.attrIn("style", "position", "type")):
		req.notRendered(b.name + " style.position")
	case !php.Empty(b.attrIn("style", "color", "duotone")):
		req.notRendered(b.name + " style.color.duotone")
	case !php.Empty(b.attrIn("style", "background", "backgroundImage")):
		req.notRendered(b.name + " style.background")
	case !php.Empty(b.attrIn("lightbox", "enabled")):
		req.notRendered(b.name + " lightbox")
	}
}

// socialLink renders a link to a social service; the icon is site data.
func (r *blockRenderer) socialLink(b *block) string {
	service := php.ToString(b.attr("service"))
	url := php.ToString(b.attr("url"))
	if url == "" {
		return ""
	}
	icon, ok := r.site.ProfileBlocks["core/social-link/"+service]
	if !ok {
		r.req.notRendered(b.name)
	}
	label := php.ToString(b.attr("label"))
	if label == "" && service != "" {
		label = strings.ToUpper(service[:1]) + service[1:]
	}
	gap := " "
	if r.site.WPVersion < 700 {
		gap = "  "
	}
	return `<li class="wp-social-link wp-social-link-` + EscAttr(service) + gap + `wp-block-social-link"><a href="` +
		EscURL(url, true) + `" class="wp-block-social-link-anchor">` + icon +
		`<span class="wp-block-social-link-label screen-reader-text">` + EscHTML(label) + `</span></a></li>`
}

// tecBlock renders one of the calendar's own blocks, which the site's profile
// knows. A site that does not register them shows nothing.
func (r *blockRenderer) tecBlock(b *block) string {
	if !r.site.TECBlocks {
		return r.blockParts(b)
	}
	html, known := r.site.ProfileBlocks[b.name]
	switch b.name {
	case "tribe/event-organizer":
		if id := b.attr("organizer"); !php.Empty(id) {
			return r.organizerBox(toID(id))
		}
		return ""
	case "tribe/event-venue":
		known = known && php.Empty(b.attr("venue"))
	}
	if !known {
		r.req.notRendered(b.name)
	}
	return html
}

// organizerBox is the block of one organizer. Its e-mail address, telephone and
// website have no place in the box of the profile, and the address is shown
// differently each time.
func (r *blockRenderer) organizerBox(id int64) string {
	box, known := r.site.ProfileBlocks["tribe/event-organizer#box"]
	o := r.res.organizer(id)
	if o == nil {
		o = &Organizer{}
	}
	if !known || o.Phone != "" || o.Website != "" || o.Email != "" {
		r.req.notRendered("tribe/event-organizer")
	}
	return strings.Replace(box, "<h3></h3>", "<h3>"+Title(o.Title, r.site.Locale)+"</h3>", 1)
}
