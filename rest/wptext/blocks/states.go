package blocks

import (
	"strings"

	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// rootSelectors are the selectors of blocks that name theirs.
var rootSelectors = map[string]string{
	"core/button": ".wp-block-button .wp-block-button__link", "core/list-item": ".wp-block-list > li",
	"core/paragraph": "p", "core/table": ".wp-block-table > table",
}

// screenRules are the conditions of the screens in screenNames.
var screenRules = map[string]string{"@mobile": "@media (width <= 480px)", "@tablet": "@media (480px < width <= 782px)"}

// pseudoStates are the states of the blocks that have any.
var pseudoStates = map[string][]string{"core/button": {":hover", ":focus", ":focus-visible", ":active"}}

// elementSelectors are the elements inside of a block that may have styles of their own.
var elementSelectors = []struct{ name, selector string }{
	{"link", "a:where(:not(.wp-element-button))"}, {"heading", "h1, h2, h3, h4, h5, h6"}, {"button", ".wp-element-button, .wp-block-button__link"},
	{"h1", "h1"}, {"h2", "h2"}, {"h3", "h3"}, {"h4", "h4"}, {"h5", "h5"}, {"h6", "h6"},
}

// states adds the class of the styles that a block has on screens of some sizes and in states
// such as under the pointer (since WordPress 7.1).
func states(d *drawn) {
	style, _ := d.block.Attr("style").(*php.Array)
	if style.Len() == 0 || d.block.Name == "core/more" || d.block.Name == "core/nextpage" {
		return
	}
	rules := &php.Array{}
	pseudo := func(within *php.Array, group string) {
		for _, state := range pseudoStates[d.block.Name] {
			if own, ok := within.At(state).(*php.Array); ok {
				stateRules(rules, d.block, own, state, group)
			}
		}
	}
	pseudo(style, "")
	for _, name := range screenNames {
		if own, ok := style.At(name).(*php.Array); ok {
			stateRules(rules, d.block, own, "", screenRules[name])
			pseudo(own, screenRules[name])
		}
	}
	if rules.Len() > 0 {
		d.html = addClassTo(d.html, "wp-states-"+hash8Of(php.Pairs("blockName", d.block.Name, "rules", rules)))
	}
}

// stateRules adds the rules of one state: for the block, then for the elements in it.
func stateRules(rules *php.Array, b *blockparse.Block, style *php.Array, state, group string) {
	add := func(selector php.Value, style *php.Array) {
		declarations := declarationsOf(style)
		if declarations.Len() == 0 {
			return
		}
		rule := php.Pairs("state", state, "selector", selector, "declarations", declarations)
		if group != "" {
			rule.SetString("rules_group", group)
		}
		rules.Append(rule)
	}
	root, known := rootSelectors[b.Name]
	if known {
		add(root, style)
	} else {
		add(nil, style)
	}
	elements, _ := style.At("elements").(*php.Array)
	for _, element := range elementSelectors {
		if own, ok := elements.At(element.name).(*php.Array); ok {
			parts := strings.Split(element.selector, ", ")
			for i := range parts {
				parts[i] = strings.TrimSpace(root + " " + parts[i])
			}
			add(strings.Join(parts, ", "), own)
		}
	}
}

// styleProperties are the CSS properties of an attribute style, in the order in which
// WordPress writes them. Those of boxes have a value for each side.
var styleProperties = []struct {
	path     [2]string
	property string
	box      bool
}{
	{[2]string{"color", "text"}, "color", false}, {[2]string{"color", "background"}, "background-color", false}, {[2]string{"color", "gradient"}, "background", false},
	{[2]string{"border", "color"}, "border-color", false}, {[2]string{"border", "radius"}, "border-radius", false},
	{[2]string{"border", "style"}, "border-style", false}, {[2]string{"border", "width"}, "border-width", false},
	{[2]string{"shadow", ""}, "box-shadow", false},
	{[2]string{"dimensions", "aspectRatio"}, "aspect-ratio", false}, {[2]string{"dimensions", "minHeight"}, "min-height", false}, {[2]string{"dimensions", "width"}, "width", false},
	{[2]string{"spacing", "padding"}, "padding", true}, {[2]string{"spacing", "margin"}, "margin", true},
	{[2]string{"typography", "fontSize"}, "font-size", false}, {[2]string{"typography", "fontFamily"}, "font-family", false},
	{[2]string{"typography", "fontStyle"}, "font-style", false}, {[2]string{"typography", "fontWeight"}, "font-weight", false},
	{[2]string{"typography", "lineHeight"}, "line-height", false}, {[2]string{"typography", "textColumns"}, "column-count", false},
	{[2]string{"typography", "textDecoration"}, "text-decoration", false}, {[2]string{"typography", "textTransform"}, "text-transform", false},
	{[2]string{"typography", "letterSpacing"}, "letter-spacing", false}, {[2]string{"typography", "writingMode"}, "writing-mode", false},
}

// declarationsOf returns the CSS declarations of an attribute style.
func declarationsOf(style *php.Array) *php.Array {
	out := &php.Array{}
	for _, p := range styleProperties {
		value := style.At(p.path[0])
		if p.path[1] != "" {
			value = blockparse.In(style, p.path[:]...)
		}
		sides, isBox := value.(*php.Array)
		switch {
		case !isBox:
			if text := php.ToString(value); text != "" {
				out.SetString(p.property, presetValue(text))
			}
		case p.box:
			for side, v := range sides.All() {
				if text := php.ToString(v); text != "" {
					out.SetString(p.property+"-"+side.String(), presetValue(text))
				}
			}
		}
	}
	return out
}

// presetValue returns the CSS of a value, which may name a preset of the theme as
// var:preset|kind|name.
func presetValue(text string) string {
	preset, ok := strings.CutPrefix(text, "var:preset|")
	if !ok {
		return text
	}
	kind, name, _ := strings.Cut(preset, "|")
	return "var(--wp--preset--" + kind + "--" + markup.LowerASCII(name) + ")"
}
