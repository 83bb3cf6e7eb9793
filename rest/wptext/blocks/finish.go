package blocks

import (
	"slices"
	"strconv"
	"strings"

	"calbridge/rest/phpjson"
	"calbridge/rest/trait"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// drawn is a block being rendered.
type drawn struct {
	block  *blockparse.Block
	parent blockParent
	html   string
	// elements is the class for coloured elements, "" without.
	elements string
}

// finish does to the HTML of a block what WordPress does to all blocks by their attributes,
// in its order: elements, layout, position, background, visibility, style sheet, states.
func (r *renderer) finish(d *drawn) string {
	if d.html == "" {
		return ""
	}
	b, traits := d.block, r.site.Traits
	past := false
	if b.Attrs.Len() > 0 {
		past = traits.Has(trait.TextBefore66)
		r.countUncommonStyles(b)
		d.html = addElements(d, d.html)
		r.fitText(d)
		if past {
			r.background(d)
			r.aspectRatio(d)
			r.duotone(d)
		}
		r.contentClass(d)
	}
	r.layoutClasses(d)
	if b.Attrs.Len() > 0 {
		r.position(d)
		if !past {
			r.aspectRatio(d)
			r.duotone(d)
			r.background(d)
			r.styleVariation(d)
		}
		if !traits.Has(trait.TextBefore70) {
			hideByScreen(d)
			r.customCSS(d)
		}
		if traits.Has(trait.TextSince71) {
			states(d)
		}
	}
	switch {
	case b.Name == "core/paragraph" && !traits.Has(trait.ParagraphsWithoutClass):
		d.html = addClassTo(d.html, "wp-block-paragraph", "p")
	case r.site.Theme.ThemeJSON:
	case b.Name == "core/image":
		d.html = wrapAlignedImage(b, d.html, traits)
	case b.Name == "core/group":
		r.boxGroup(d)
	}
	return d.html
}

// uncolouredElements are the blocks that take no class for the elements in them.
var uncolouredElements = markup.WordSet("core/table core/separator core/button core/more core/nextpage")

// colour chooses the class for the colours of links, headings and buttons inside the block.
// Where it is a number, a block has a lower one than those in it.
func (r *renderer) colour(d *drawn) {
	b, traits := d.block, r.site.Traits
	if b.Attrs.Len() == 0 || !coloursElements(b) || uncolouredElements[b.Name] {
		return
	}
	counted := traits.Has(trait.ElementClassesAreCounted)
	if (counted || traits.Has(trait.TextBefore66)) && (!r.registered(b.Name) || !strings.HasPrefix(b.Name, "core/")) {
		return
	}
	if !traits.Has(trait.TextBefore66) {
		for class := range strings.FieldsSeq(php.ToString(b.Attr("className"))) {
			if strings.HasPrefix(class, elementsPrefix) {
				d.elements = class
				return
			}
		}
	}
	if counted {
		r.req.ElementIDs++
		d.elements = elementsPrefix + strconv.Itoa(r.req.ElementIDs)
	} else {
		d.elements = elementsPrefix + md5Hex(phpserial.Serialize(b.AsArray()))
	}
}

const elementsPrefix = "wp-elements-"

func addElements(d *drawn, html string) string {
	if d.elements == "" {
		return html
	}
	return addClassTo(html, d.elements)
}

// countUncommonStyles counts settings of a block for which WordPress adds markup that
// isn't modelled: colours from a preset of the theme for two-colour filters, a lightbox.
func (r *renderer) countUncommonStyles(b *blockparse.Block) {
	duotone := b.AttrIn("style", "color", "duotone")
	if preset, ok := duotone.(string); ok && preset != "" && preset != "unset" && duotoneBlocks[b.Name] {
		r.req.NotRendered(b.Name + " style.color.duotone")
	}
	if !php.Empty(b.AttrIn("lightbox", "enabled")) {
		r.req.NotRendered(b.Name + " lightbox")
	}
}

// fitText makes a text as wide as its column (since WordPress 6.9).
func (r *renderer) fitText(d *drawn) {
	if d.block.Name != "core/paragraph" && d.block.Name != "core/heading" || !php.Truthy(d.block.Attr("fitText")) || r.site.Traits.Has(trait.TextBefore69) {
		return
	}
	const space = "core/fit-text::"
	if tag, ok := markup.FirstTag(d.html); ok {
		d.html = markup.SetAttrs(d.html, tag,
			markup.Setting{Name: "data-wp-interactive", Bare: true},
			markup.Setting{Name: "data-wp-context---core-fit-text", Value: space + escape.TagValue(`{"fontSize":""}`)},
			markup.Setting{Name: "data-wp-init---core-fit-text", Value: space + "callbacks.init"},
			markup.Setting{Name: "data-wp-style--font-size", Value: space + "context.fontSize"})
	}
}

// position adds the classes of a group that stays in sight, for themes that allow it.
func (r *renderer) position(d *drawn) {
	if d.block.Name == "core/group" && r.site.Theme.BlockGap && php.ToString(d.block.AttrIn("style", "position", "type")) == "sticky" {
		d.html = addClassTo(d.html, "wp-container-"+r.req.UniqueID()+" is-position-sticky")
	}
}

// duotoneBlocks are the blocks with pictures that a two-colour filter may change.
var duotoneBlocks = markup.WordSet("core/image core/cover")

// duotone adds the class of a block's own two-colour filter.
func (r *renderer) duotone(d *drawn) {
	value := d.block.AttrIn("style", "color", "duotone")
	if value == nil || !duotoneBlocks[d.block.Name] {
		return
	}
	var name string
	switch v := value.(type) {
	case *php.Array:
		name = strings.Map(func(c rune) rune {
			if c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' {
				return c
			}
			return -1
		}, strings.ToLower(strings.Join(v.Texts(), "-")))
	case string:
		if v != "unset" {
			return
		}
		name = v
	}
	d.html = addClassTo(d.html, "wp-duotone-"+name+"-"+r.req.UniqueID())
}

// aspectRatio gives a cover block the form of its attributes.
func (r *renderer) aspectRatio(d *drawn) {
	ratio := php.ToString(d.block.AttrIn("style", "dimensions", "aspectRatio"))
	newest := r.site.Traits.Has(trait.TextSince71)
	if d.block.Name != "core/cover" || ratio == "" || ratio == "0" || ratio == "auto" && newest {
		return
	}
	css := "aspect-ratio:" + ratio + ";min-height:unset;"
	if newest {
		css = "aspect-ratio:" + ratio + ";height:unset;min-height:unset;"
	}
	r.addStyle(d, css, "has-aspect-ratio")
}

// addStyle adds declarations to the end of the style of a block's first tag, and a class.
func (r *renderer) addStyle(d *drawn, css, class string) {
	tag, ok := markup.FirstTag(d.html)
	if !ok {
		return
	}
	if own := tag.Value(d.html, "style"); own != "" {
		css = strings.TrimSuffix(own, ";") + ";" + r.tagValue(css)
	} else {
		css = r.tagValue(css)
	}
	d.html = markup.SetAttrs(d.html, tag, markup.Setting{Name: "style", Value: css})
	d.html = addClassTo(d.html, class)
}

// tagValue escapes the value of an attribute as WordPress's tag processor does.
func (r *renderer) tagValue(s string) string {
	if r.site.Traits.Has(trait.TextBefore69) {
		return escape.Attr(s)
	}
	return escape.TagValue(s)
}

// backgroundBlocks are the blocks that may have a picture or a gradient behind them.
var backgroundBlocks = map[string]trait.Condition{
	"core/group": {}, "core/quote": {Without: trait.TextBefore67}, "core/pullquote": {Without: trait.TextBefore67},
	"core/verse": {Without: trait.TextBefore67}, "core/post-content": {Without: trait.TextBefore67}, "core/accordion": {Without: trait.TextBefore69},
}

// background gives a block the background of its attributes.
func (r *renderer) background(d *drawn) {
	traits := r.site.Traits
	sites, ok := backgroundBlocks[d.block.Name]
	style, _ := d.block.AttrIn("style", "background").(*php.Array)
	if !ok || style.Len() == 0 || !sites.In(traits) {
		return
	}
	css := ""
	if image := backgroundURL(style, traits); image != "" {
		css = "background-image:url('" + image + "');"
	} else if gradient := php.ToString(style.At("gradient")); gradient != "" && traits.Has(trait.TextSince71) {
		css = "background-image:" + gradient + ";"
	}
	if css == "" {
		return
	}
	size, position := php.ToString(style.At("backgroundSize")), php.ToString(style.At("backgroundPosition"))
	if size == "" && strings.Contains(css, "url(") {
		size = "cover"
	}
	if size == "contain" && position == "" {
		position = "50% 50%"
	}
	attachment := php.ToString(style.At("backgroundAttachment"))
	if traits.Has(trait.TextBefore67) {
		attachment = ""
	}
	for _, property := range [...][2]string{
		{"position", position}, {"repeat", php.ToString(style.At("backgroundRepeat"))}, {"size", size}, {"attachment", attachment},
	} {
		if property[1] != "" {
			css += "background-" + property[0] + ":" + property[1] + ";"
		}
	}
	r.addStyle(d, css, "has-background")
}

// backgroundURL returns the address of a picture. Before WordPress 6.6 only one from the
// media library counts.
func backgroundURL(style *php.Array, traits trait.Set) string {
	image, ok := style.At("backgroundImage").(*php.Array)
	if !ok || traits.Has(trait.TextBefore66) && php.ToString(image.At("source")) != "file" {
		return ""
	}
	return php.ToString(image.At("url"))
}

// styleVariation gives a button in one of the editor's styles a class of its own.
func (r *renderer) styleVariation(d *drawn) {
	if d.block.Name != "core/button" {
		return
	}
	for class := range strings.FieldsSeq(php.ToString(d.block.Attr("className"))) {
		style, ok := strings.CutPrefix(class, "is-style-")
		if !ok || style == "" || style == "default" || style == "fill" {
			continue
		}
		var id string
		if r.site.Traits.Has(trait.TextBefore67) {
			id = md5Hex(phpserial.Serialize(d.block.AsArray()))
		} else {
			id = r.req.UniqueID()
		}
		d.html = addClassTo(d.html, escape.Attr(class+"--"+id))
		break
	}
}

// unhidable and unstyled are the blocks that no screen hides, and those that take no style
// sheet of their own.
var (
	unhidable = markup.WordSet("core/html core/freeform core/more core/nextpage core/shortcode core/missing core/pattern")
	unstyled  = markup.WordSet("core/html core/freeform core/more core/nextpage core/shortcode core/missing core/block")
)

// hideByScreen adds the classes that hide a block on screens of some sizes.
func hideByScreen(d *drawn) {
	screens, _ := d.block.AttrIn("metadata", "blockVisibility", "viewport").(*php.Array)
	if screens.Len() == 0 || unhidable[d.block.Name] {
		return
	}
	var classes []string
	for _, screen := range [...]string{"desktop", "mobile", "tablet"} {
		if screens.At(screen) == false {
			classes = append(classes, "wp-block-hidden-"+screen)
		}
	}
	if classes == nil {
		return
	}
	d.html = setOnImages(addClassTo(d.html, strings.Join(classes, " ")), "auto")
}

// setOnImages sets the priority of all images in html.
func setOnImages(html, priority string) string {
	if !strings.Contains(html, "<img") {
		return html
	}
	var sb strings.Builder
	for {
		tag, ok := markup.FirstTag(html, "img")
		if !ok {
			sb.WriteString(html)
			return sb.String()
		}
		sb.WriteString(markup.SetAttrs(html[:tag.End], tag, markup.Setting{Name: "fetchpriority", Value: priority}))
		html = html[tag.End:]
	}
}

// customCSS adds the classes of a block's own style sheet (attribute style.css).
func (r *renderer) customCSS(d *drawn) {
	css, _ := d.block.AttrIn("style", "css").(string)
	if php.Trim(css) == "" || unstyled[d.block.Name] || hasTag(css) {
		return
	}
	parsed := d.block.AsArray()
	if d.elements != "" {
		attrs := d.block.Attrs.Clone()
		own := php.ToString(attrs.At("className"))
		if !slices.Contains(strings.Fields(own), d.elements) {
			attrs.SetString("className", strings.TrimSpace(own+" "+d.elements))
		}
		parsed.SetString("attrs", attrs)
	}
	if d.parent.layout != nil {
		parsed.SetString("parentLayout", d.parent.layout)
	}
	d.html = addClassTo(d.html, "has-custom-css wp-custom-css-"+hash8Of(parsed))
}

// hasTag reports whether a style sheet has what may be a tag.
func hasTag(css string) bool {
	for css != "" {
		_, rest, ok := strings.Cut(css, "<")
		if !ok {
			return false
		}
		if name := strings.TrimPrefix(rest, "/"); name != "" && markup.IsWord(name[0]) {
			return true
		}
		css = rest
	}
	return false
}

// hash8Of returns the hash of a value as JSON, for a class.
func hash8Of(v php.Value) string { return md5Hex(string(phpjson.Append(nil, v)))[:8] }
