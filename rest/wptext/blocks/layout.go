package blocks

import (
	"crypto/md5"
	"encoding/hex"
	"strings"

	"calbridge/rest/phpjson"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore/php"
)

// layoutDefault is how a block that has layout support lays out its inner blocks
// when its attributes do not say.
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
	l.kind = php.ToString(l.used.At("type"))
	if l.kind == "" {
		l.kind = "default"
	}
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

func layoutClass(kind string) string {
	switch kind {
	case "default":
		return "is-layout-flow"
	case "constrained", "flex", "grid":
		return "is-layout-" + kind
	}
	return ""
}

// layoutClasses adds the classes by which WordPress lays out the blocks inside a
// block to the tag around them.
func layoutClasses(b *blockparse.Block, html string, theme *wptext.Theme, wpVersion int) string {
	def, ok := layoutDefaults[b.Name]
	if !ok {
		return html
	}
	l := layoutOf(b, def)
	suffix := layoutClass(l.kind)
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
		classes = append(classes, "wp-container-core-"+short+"-is-layout-"+layoutHash(b, l, def, theme, wpVersion))
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

// layoutHasRules says whether the layout makes WordPress write any CSS for this
// very block.
func layoutHasRules(b *blockparse.Block, l blockLayout, themeGaps bool) bool {
	gap := themeGaps && !l.skip && !emptyGap(l.gap)
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
		switch justify {
		case "left", "right", "center", "space-between":
			return true
		}
		switch text("verticalAlignment") {
		case "top", "center", "bottom", "stretch":
			return true
		}
	case "grid":
		return true
	}
	return false
}

func emptyGap(gap php.Value) bool {
	if gap == "0" {
		return false
	}
	return php.Empty(gap)
}

// layoutHash names the block's CSS after everything that it depends on.
func layoutHash(b *blockparse.Block, l blockLayout, def layoutDefault, theme *wptext.Theme, wpVersion int) string {
	fallback := theme.Gap
	switch own := theme.Gaps[b.Name]; {
	case wpVersion < 700:
		// The gaps of the theme did not count yet.
		fallback = def.gap
		if fallback == "" {
			fallback = "0.5em"
		}
	case own != "":
		fallback = own
	}
	data := php.List(l.used, theme.BlockGap, l.gap, l.skip, fallback, b.AttrIn("style", "spacing"))
	return md5Hex(string(phpjson.Append(nil, data)))[:8]
}

// layoutWrapper finds the tag directly around the inner blocks: the last one
// with a class in front of the first inner block, else the block's first tag.
func layoutWrapper(b *blockparse.Block, html string) (markup.Tag, bool) {
	nth := 0
	if len(b.Parts) > 1 && b.Parts[0].Inner == nil {
		chunk := b.Parts[0].Text
		for pos, n := 0, 0; ; n++ {
			tag, ok := markup.NextTag(chunk, pos)
			if !ok {
				break
			}
			if _, ok := tag.Attr(chunk, "class"); ok {
				nth = n
			}
			pos = tag.After(chunk)
		}
	}
	pos := 0
	for {
		tag, ok := markup.NextTag(html, pos)
		if !ok || nth == 0 {
			return tag, ok
		}
		nth--
		pos = tag.After(html)
	}
}

// boxGroup puts a box around what is inside a group, as WordPress does for
// themes without theme.json.
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

// md5Hex is the hash after which WordPress names some classes. The data must be in
// PHP's own form.
func md5Hex(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}
