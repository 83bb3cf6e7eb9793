package blocks

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/sanitize"

	"calbridge/wpstore/php"
)

// layoutDefault is how a block with layout support lays out its inner blocks unless its
// attributes say otherwise (spec/rendering-data/block_layout.json).
type layoutDefault struct {
	flex, nowrap bool
	skipGap      bool   // the block handles its gap itself
	gap          string // gap without theme, 0.5em if empty
}

var layoutDefaults = map[string]layoutDefault{
	"core/accordion":           {},
	"core/accordion-item":      {},
	"core/accordion-panel":     {},
	"core/buttons":             {flex: true},
	"core/column":              {},
	"core/columns":             {flex: true, nowrap: true, gap: "2em"},
	"core/comments-pagination": {flex: true},
	"core/cover":               {},
	"core/details":             {},
	"core/gallery":             {flex: true, skipGap: true},
	"core/group":               {},
	"core/navigation":          {flex: true},
	"core/post-content":        {},
	"core/post-template":       {gap: "1.25em"},
	"core/query":               {},
	"core/query-pagination":    {flex: true},
	"core/quote":               {},
	"core/social-links":        {flex: true},
	"core/term-template":       {gap: "1.25em"},
	"core/terms-query":         {},
}

// blockLayout is the layout that a block uses.
type blockLayout struct {
	used *php.Array // as WordPress hashes it
	kind string     // default, constrained, flex, grid
	gap  php.Value  // the block's own gap, nil without
	skip bool       // skipGap of the default
}

func layoutOf(b *blockparse.Block, def layoutDefault) blockLayout {
	l := blockLayout{skip: def.skipGap, gap: safeGap(b.AttrIn("style", "spacing", "blockGap"))}
	if own, ok := b.Attr("layout").(*php.Array); ok {
		l.used = own.Clone()
	} else {
		l.used = &php.Array{}
		if def.flex {
			l.used.SetString("type", "flex")
		}
		if def.nowrap {
			l.used.SetString("flexWrap", "nowrap")
		}
	}
	if !php.Empty(l.used.At("inherit")) || !php.Empty(l.used.At("contentSize")) {
		l.used.SetString("type", "constrained")
	}
	l.kind = cmp.Or(php.ToString(l.used.At("type")), "default")
	return l
}

// safeGap drops gaps with characters that have no place in a length.
func safeGap(gap php.Value) php.Value {
	switch g := gap.(type) {
	case string:
		if strings.ContainsAny(g, `\(&=}`) || strings.Contains(g, "/*") {
			return nil
		}
	case *php.Array:
		out := &php.Array{}
		for key, value := range g.All() {
			out.Set(key, safeGap(value))
		}
		return out
	}
	return gap
}

// layoutKinds are the class names of the kinds of layout.
var layoutKinds = map[string]string{
	"default":     "is-layout-flow",
	"constrained": "is-layout-constrained",
	"flex":        "is-layout-flex",
	"grid":        "is-layout-grid",
}

// layoutClasses adds the classes for the layout of a block's inner blocks to the tag
// around them.
func (r *renderer) layoutClasses(d *drawn) {
	b := d.block
	def, ok := layoutDefaults[b.Name]
	if !ok || !r.registered(b.Name) {
		return
	}
	theme, traits := &r.site.Theme, r.site.Traits
	if b.Name == "core/gallery" && traits.Has(trait.TextSince71) {
		def.skipGap = false
	}
	l := layoutOf(b, def)
	suffix := layoutKinds[l.kind]
	var classes []string
	if l.kind == "constrained" && theme.RootPadding {
		classes = append(classes, "has-global-padding")
	}
	own := func(name string) string { return php.ToString(b.AttrIn("layout", name)) }
	if v := own("orientation"); v != "" {
		classes = append(classes, "is-"+sanitize.Slug(v, ""))
	}
	if v := own("justifyContent"); v != "" {
		classes = append(classes, "is-content-justification-"+sanitize.Slug(v, ""))
	}
	if own("flexWrap") == "nowrap" {
		classes = append(classes, "is-nowrap")
	}
	if suffix != "" {
		classes = append(classes, suffix)
	}
	short := strings.TrimPrefix(b.Name, "core/")
	container := "wp-container-core-" + short + "-is-layout-"
	screens := screenLayouts(b, traits)
	if traits.Has(trait.LayoutsAreCounted) {
		container += r.req.LayoutID(container) // which blocks take that don't show it, too
	} else {
		container += layoutHash(b, l, def, theme, traits, screens)
	}
	if layoutHasRules(b, l, theme.BlockGap, traits) || slices.ContainsFunc(screens, func(s screenLayout) bool { return s.hasRules(b, l, theme.BlockGap, traits) }) {
		classes = append(classes, container)
	}
	classes = append(classes, "wp-block-"+short+"-"+suffix)
	if tag, ok := layoutWrapper(b, d.html); ok {
		d.html = markup.AddClass(d.html, tag, classes...)
	}
}

// screenLayout is what a block's attribute style has for the layout on screens of one size.
type screenLayout struct {
	name   string // such as @mobile
	layout *php.Array
	gap    php.Value
}

// screenLayouts returns those of a block. WordPress has them since 7.1.
func screenLayouts(b *blockparse.Block, traits trait.Set) (list []screenLayout) {
	if b.Attrs.Len() == 0 || !traits.Has(trait.TextSince71) {
		return nil
	}
	for _, name := range screenNames {
		layout, _ := b.AttrIn("style", name, "layout").(*php.Array)
		s := screenLayout{name, layout, safeGap(b.AttrIn("style", name, "spacing", "blockGap"))}
		if s.layout.Len() > 0 || s.gap != nil {
			list = append(list, s)
		}
	}
	return list
}

// screenNames are the names of screens in the attribute style.
var screenNames = [...]string{"@mobile", "@tablet"}

// hasRules reports whether the block with the layout l has rules of its own on such screens.
func (s screenLayout) hasRules(b *blockparse.Block, l blockLayout, themeGaps bool, traits trait.Set) bool {
	used := l.used.Clone()
	for key, value := range s.layout.All() {
		used.Set(key, value)
	}
	l.used, l.gap = used, s.gap
	return layoutHasRules(b, l, themeGaps, traits)
}

// layoutHasRules reports whether the layout makes WordPress write CSS for this block.
func layoutHasRules(b *blockparse.Block, l blockLayout, themeGaps bool, traits trait.Set) bool {
	gap := themeGaps && !l.skip && (l.gap == "0" || !php.Empty(l.gap))
	text := func(name string) string { return php.ToString(l.used.At(name)) }
	justify := text("justifyContent")
	switch l.kind {
	case "default":
		return gap
	case "constrained":
		if gap || text("contentSize") != "" || text("wideSize") != "" || justify == "left" || justify == "right" {
			return true
		}
		return !traits.Has(trait.TextBefore66) && (!php.Empty(b.AttrIn("style", "spacing", "padding", "left")) ||
			!php.Empty(b.AttrIn("style", "spacing", "padding", "right")))
	case "flex":
		orientation := text("orientation")
		if gap || text("flexWrap") == "nowrap" || orientation != "" && orientation != "horizontal" {
			return true
		}
		return slices.Contains([]string{"left", "right", "center", "space-between"}, justify) ||
			slices.Contains([]string{"top", "center", "bottom", "stretch"}, text("verticalAlignment"))
	case "grid":
		return true
	}
	return false
}

// layoutHash names the block's CSS after everything that it depends on.
func layoutHash(b *blockparse.Block, l blockLayout, def layoutDefault, theme *wptext.Theme, traits trait.Set, screens []screenLayout) string {
	fallback := cmp.Or(theme.Gaps[b.Name], theme.Gap)
	if traits.Has(trait.LayoutHashWithoutTheme) {
		fallback = cmp.Or(def.gap, "0.5em")
	}
	data := php.List(l.used, theme.BlockGap, l.gap, l.skip, fallback, b.AttrIn("style", "spacing"))
	for _, s := range screens {
		if s.layout.Len() > 0 {
			data.Append(php.Pairs("breakpoint", s.name, "layout", s.layout))
		}
		if s.gap != nil {
			data.Append(php.Pairs("breakpoint", s.name, "blockGap", s.gap))
		}
	}
	return hash8Of(data)
}

// layoutWrapper finds the tag directly around the inner blocks: the last one with a
// class before the first inner block, else the block's first tag.
func layoutWrapper(b *blockparse.Block, html string) (markup.Tag, bool) {
	nth := 0
	if len(b.Parts) > 1 && b.Parts[0].Inner == nil {
		chunk, n := b.Parts[0].Text, 0
		for tag := range markup.Tags(chunk) {
			if _, ok := tag.Attr(chunk, "class"); ok {
				nth = n
			}
			n++
		}
	}
	for tag := range markup.Tags(html) {
		if nth == 0 {
			return tag, true
		}
		nth--
	}
	return markup.Tag{}, false
}

// boxGroup puts a box around the content of a group, for themes without theme.json. The
// classes of the layout move to it.
func (r *renderer) boxGroup(d *drawn) {
	b, html := d.block, d.html
	kind := php.ToString(b.AttrIn("layout", "type"))
	if kind == "flex" || kind == "grid" && !r.site.Traits.Has(trait.TextBefore67) {
		return
	}
	tag, ok := markup.FirstTag(html)
	a, _ := tag.Attr(html, "class")
	if !ok || !markup.HasClass(tag.Value(html, "class"), "wp-block-group") ||
		len(b.Parts) == 0 || strings.Contains(b.Parts[0].Text, "wp-block-group__inner-container") {
		return
	}
	end := strings.TrimRight(html, " \t\n\r\f\v")
	inner, ok := strings.CutSuffix(end, "</"+tag.Name+">")
	if !ok || len(inner) < tag.End {
		return
	}
	var outer []string
	box := "wp-block-group__inner-container"
	for class := range strings.FieldsSeq(html[a.ValueStart:a.ValueEnd]) {
		if strings.Contains(class, "is-layout-") {
			box += " " + class
		} else {
			outer = append(outer, class)
		}
	}
	d.html = html[:a.Start] + `class="` + strings.Join(outer, " ") + `"` + html[a.End:tag.End] + `<div class="` + box + `">` +
		inner[tag.End:] + "</div>" + html[len(inner):]
}

// md5Hex returns the hash in the names of some classes.
func md5Hex(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

// contentClass adds the class of a block's place in the layout of the block around it. It
// has a number until WordPress 6.7, then a hash of what the place depends on.
func (r *renderer) contentClass(d *drawn) {
	const class = "wp-container-content-"
	traits := r.site.Traits
	place, _ := d.block.AttrIn("style", "layout").(*php.Array)
	screens := screenLayouts(d.block, traits)
	if !placed(place, traits) && !slices.ContainsFunc(screens, func(s screenLayout) bool { return placed(s.layout, traits) }) {
		return
	}
	var id string
	switch {
	case traits.Has(trait.ContainersAreCountedTogether):
		id = r.req.UniqueID()
	case traits.Has(trait.LayoutsAreCounted):
		id = r.req.LayoutID(class)
	default:
		around, _ := d.parent.layout.(*php.Array)
		data := php.Pairs("layout", only(place, placeKeys), "parentLayout", only(around, gridKeys))
		for _, s := range screens {
			if s.layout.Len() > 0 {
				data.SetString(s.name, only(s.layout, placeKeys))
			}
		}
		id = hash8Of(data)
	}
	d.html = addClassTo(d.html, class+id)
}

// placeKeys are the attributes of a place in a layout, and gridKeys those of the layout around
// it that its CSS depends on.
var (
	placeKeys = markup.WordSet("selfStretch flexSize columnStart columnSpan rowStart rowSpan")
	gridKeys  = markup.WordSet("minimumColumnWidth columnCount")
)

// only returns the members of a whose names are among keys.
func only(a *php.Array, keys map[string]bool) *php.Array {
	out := &php.Array{}
	for key, value := range a.All() {
		if keys[key.String()] {
			out.Set(key, value)
		}
	}
	return out
}

// placed reports whether a place in a layout makes WordPress write CSS.
func placed(place *php.Array, traits trait.Set) bool {
	if place.Len() == 0 {
		return false
	}
	stretch := php.ToString(place.At("selfStretch"))
	if traits.Has(trait.TextBefore66) {
		return stretch == "fixed" || stretch == "fill"
	}
	newest, sized := traits.Has(trait.TextSince71), !php.Empty(place.At("flexSize"))
	return stretch == "fill" || sized && (stretch == "fixed" || stretch == "fixedNoShrink" && newest) ||
		place.At("columnSpan") != nil || place.At("rowSpan") != nil ||
		newest && (place.At("columnStart") != nil || place.At("rowStart") != nil)
}
