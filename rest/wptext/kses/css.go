package kses

import (
	"regexp"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// safeStyles are the CSS properties that style attributes may have, besides custom ones (two
// hyphens in front), by the sites that allow them.
var safeStyles = tableOf(map[trait.Condition]string{
	{}: `
background background-color background-image background-position background-repeat background-size
background-attachment background-blend-mode border border-radius border-width border-color
border-style border-right border-right-color border-right-style border-right-width border-bottom
border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style
border-bottom-width border-left border-left-color border-left-style border-left-width border-top
border-top-color border-top-left-radius border-top-right-radius border-top-style border-top-width
border-spacing border-collapse caption-side columns column-count column-fill column-gap column-rule
column-span column-width color filter font font-family font-size font-style font-variant font-weight
letter-spacing line-height text-align text-decoration text-indent text-transform height min-height
max-height width min-width max-width margin margin-right margin-bottom margin-left margin-top
margin-block-start margin-block-end margin-inline-start margin-inline-end padding padding-right
padding-bottom padding-left padding-top padding-block-start padding-block-end padding-inline-start
padding-inline-end flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap gap
row-gap grid-template-columns grid-auto-columns grid-column-start grid-column-end grid-column-gap
grid-template-rows grid-auto-rows grid-row-start grid-row-end grid-row-gap grid-gap justify-content
justify-items justify-self align-content align-items align-self clear cursor direction float
list-style-type object-fit object-position overflow vertical-align writing-mode position top right
bottom left z-index box-shadow aspect-ratio`,
	{Without: trait.TextBefore66}: "container-type grid-column grid-row",
	{Without: trait.TextBefore67}: "opacity",
	{Without: trait.TextBefore69}: "white-space",
	{Without: trait.TextBefore70}: "display",
	{With: trait.TextSince71}: `
alignment-baseline baseline-shift clip-path clip-rule color-interpolation
color-interpolation-filters color-rendering cx cy d dominant-baseline fill fill-opacity fill-rule
flood-color flood-opacity font-size-adjust font-stretch glyph-orientation-horizontal
glyph-orientation-vertical image-rendering lighting-color marker marker-end marker-mid marker-start
mask mask-type paint-order pointer-events r rx ry shape-rendering stop-color stop-opacity stroke
stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
stroke-width text-anchor text-rendering transform transform-origin unicode-bidi vector-effect
visibility word-spacing x y`,
})

// The functions that values may call, and the properties, beside custom ones, whose values
// may call url and gradients.
var (
	safeFunctions = tableOf(map[trait.Condition]string{
		{}: "var calc min max minmax clamp repeat",
		{With: trait.TextSince71}: `
matrix matrix3d perspective rotate rotate3d rotateX rotateY rotateZ scale scale3d scaleX scaleY
scaleZ skew skewX skewY translate translate3d translateX translateY translateZ circle ellipse inset
path polygon rect shape xywh`,
	})
	urlStyles = tableOf(map[trait.Condition]string{
		{}:                        "background background-image cursor filter",
		{With: trait.TextSince71}: "clip-path fill marker marker-end marker-mid marker-start mask stroke",
	})
	gradientStyles = markup.WordSet("background background-image")
)

// Gradients are the whole value, with colours as rgb() inside, or since WordPress 7.1 any
// part of it, with any functions inside.
var (
	wholeGradient = regexp.MustCompile(`^(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|rgba?\([^()]*\))*\)$`)
	gradients     = regexp.MustCompile(`\b(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|\([^()]*\))*\)`)
)

func tableOf(lists map[trait.Condition]string) names {
	all := names{}
	for sites, list := range lists {
		all.add(list, sites)
	}
	return all
}

// Style reproduces WordPress's safecss_filter_attr: it keeps the declarations of a style
// attribute that have a safe property and a harmless value, and harmless pieces without a
// colon.
func Style(css string, traits trait.Set) string {
	css = markup.ReplaceRuns(removeNulls(removeControls(css)), 1, "", func(c byte) bool { return c == '\n' || c == '\r' || c == '\t' })
	var safe strings.Builder
	for piece := range strings.SplitSeq(php.Trim(css), ";") {
		if piece == "" {
			continue
		}
		if piece = php.Trim(piece); safeDeclaration(piece, traits) {
			if safe.Len() > 0 {
				safe.WriteByte(';')
			}
			safe.WriteString(piece)
		}
	}
	return safe.String()
}

// removeNulls removes the escapes of the character NUL: backslashes with zeros behind them.
func removeNulls(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each(`\`) {
		zeros := strings.TrimLeft(s[i:], `\`)
		if rest := strings.TrimLeft(zeros, "0"); len(rest) < len(zeros) {
			p.Replace(i, len(s)-len(rest))
		} else {
			p.Skip(len(s) - len(zeros))
		}
	}
	return p.String()
}

// safeDeclaration reports whether a declaration, or a piece without a colon, is harmless
// once calls of harmless functions are removed.
func safeDeclaration(piece string, traits trait.Set) bool {
	property, value, ok := strings.Cut(piece, ":")
	if !ok {
		property, value = "", piece
	} else if property = php.Trim(property); !safeStyles.allow(property, traits) && !isCustomProperty(property) {
		return false
	}
	value, ok = removeFunctions(property, value, traits)
	return ok && isPlainCSS(property) && isPlainCSS(value)
}

func isPlainCSS(s string) bool { return !strings.ContainsAny(s, `\(&=}`) && !strings.Contains(s, "/*") }

func isCustomProperty(name string) bool {
	rest, ok := strings.CutPrefix(name, "--")
	return ok && isName(rest)
}

// removeFunctions removes the calls of harmless functions from a value. It returns false
// if a URL's scheme isn't allowed.
func removeFunctions(property, value string, traits trait.Set) (string, bool) {
	if !strings.Contains(value, "(") {
		return value, true
	}
	custom := isCustomProperty(property)
	gradient := (custom || gradientStyles[property]) && strings.Contains(value, "-gradient(")
	newest := traits.Has(trait.TextSince71)
	if gradient && !newest && wholeGradient.MatchString(php.Trim(value)) {
		return "", true
	}
	if custom || urlStyles.allow(property, traits) {
		var ok bool
		if value, ok = removeURLs(value); !ok {
			return "", false
		}
	}
	if gradient && newest {
		value = gradients.ReplaceAllLiteralString(value, "")
	}
	closing := matchBrackets(value)
	p := markup.Patch{Src: value}
	for i := range p.Each("(") {
		start := i
		for start > p.Done && markup.IsWord(value[start-1]) {
			start--
		}
		if closing[i] > 0 && safeFunctions.allow(value[start:i], traits) {
			p.Replace(start, closing[i]+1)
		}
	}
	return p.String(), true
}

// removeURLs removes the calls of url from a value. It returns false if a scheme isn't
// allowed.
func removeURLs(value string) (string, bool) {
	const call = "url("
	p := markup.Patch{Src: value}
	for i := range p.Each(call) {
		end := markup.IndexFrom(value, ')', i)
		if end < 0 {
			return "", false
		}
		address := strings.Trim(php.Trim(value[i+len(call):end]), `"'`)
		if address == "" || escape.CutBadProtocol(address) != address {
			return "", false
		}
		p.Replace(i, end+1)
	}
	return p.String(), true
}

// matchBrackets maps the offset of each opening bracket to that of its closing one.
func matchBrackets(s string) map[int]int {
	pairs := make(map[int]int)
	var open []int
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			open = append(open, i)
		case ')':
			if len(open) > 0 {
				pairs[open[len(open)-1]] = i
				open = open[:len(open)-1]
			}
		}
	}
	return pairs
}
