package blocks

import (
	"cmp"

	"calbridge/rest/trait"
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strings"

	"calbridge/rest/phpjson"
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
// around them (spec/rendering.md 8.3).
func layoutClasses(b *blockparse.Block, html string, site *wptext.Site, req *wptext.RequestState) string {
	def, ok := layoutDefaults[b.Name]
	if !ok {
		return html
	}
	theme := &site.Theme
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
	if layoutHasRules(b, l, theme.BlockGap) {
		container := "wp-container-core-" + short + "-is-layout-"
		if site.Traits.Has(trait.LayoutsAreCounted) {
			container += req.LayoutID(container)
		} else {
			container += layoutHash(b, l, def, theme, site.Traits)
		}
		classes = append(classes, container)
	}
	if suffix != "" {
		classes = append(classes, "wp-block-"+short+"-"+suffix)
	}
	if b.Name == "core/group" && !theme.ThemeJSON && l.kind != "flex" && l.kind != "grid" {
		if boxed, ok := boxGroup(b, html, strings.Join(classes, " ")); ok {
			return boxed
		}
	}
	tag, ok := layoutWrapper(b, html)
	if !ok {
		return html
	}
	return markup.AddClass(html, tag, classes...)
}

// layoutHasRules reports whether the layout makes WordPress write CSS for this block.
func layoutHasRules(b *blockparse.Block, l blockLayout, themeGaps bool) bool {
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
		return !php.Empty(b.AttrIn("style", "spacing", "padding", "left")) ||
			!php.Empty(b.AttrIn("style", "spacing", "padding", "right"))
	case "flex":
		if gap || text("flexWrap") == "nowrap" || text("orientation") == "vertical" {
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
func layoutHash(b *blockparse.Block, l blockLayout, def layoutDefault, theme *wptext.Theme, traits trait.Set) string {
	fallback := cmp.Or(theme.Gaps[b.Name], theme.Gap)
	if traits.Has(trait.LayoutHashWithoutTheme) {
		fallback = cmp.Or(def.gap, "0.5em")
	}
	data := php.List(l.used, theme.BlockGap, l.gap, l.skip, fallback, b.AttrIn("style", "spacing"))
	return md5Hex(string(phpjson.Append(nil, data)))[:8]
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

// boxGroup puts a box around the content of a group, for themes without theme.json.
func boxGroup(b *blockparse.Block, html, classes string) (string, bool) {
	tag, ok := markup.FirstTag(html)
	if !ok || !markup.HasClass(tag.Value(html, "class"), "wp-block-group") ||
		strings.Contains(b.Parts[0].Text, "wp-block-group__inner-container") {
		return "", false
	}
	end := strings.TrimRight(html, " \t\n\r\f\v")
	inner, ok := strings.CutSuffix(end, "</"+tag.Name+">")
	if !ok || len(inner) < tag.End {
		return "", false
	}
	return html[:tag.End] + `<div class="wp-block-group__inner-container ` + classes + `">` +
		inner[tag.End:] + "</div>" + html[len(inner):], true
}

// md5Hex returns the hash in the names of some classes.
func md5Hex(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

// placedInLayout reports whether a block has a place of its own in its parent's layout.
func placedInLayout(b *blockparse.Block) bool {
	if b.Attrs.Len() == 0 {
		return false
	}
	stretch := php.ToString(b.AttrIn("style", "layout", "selfStretch"))
	return stretch == "fixed" || stretch == "fill" ||
		b.AttrIn("style", "layout", "columnSpan") != nil || b.AttrIn("style", "layout", "rowSpan") != nil
}

// contentClass adds the class of a place in a layout where its number is known: those
// since WordPress 6.8 have hashes.
func contentClass(b *blockparse.Block, html string, traits trait.Set, req *wptext.RequestState) string {
	const class = "wp-container-content-"
	switch {
	case traits.Has(trait.ContainersAreCountedTogether):
		return addClassTo(html, class+req.UniqueID())
	case traits.Has(trait.LayoutsAreCounted):
		return addClassTo(html, class+req.LayoutID(class))
	}
	req.NotRendered(b.Name + " style.layout")
	return html
}
