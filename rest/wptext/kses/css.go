package kses

import (
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// safeStyles are the CSS properties that WordPress allows in style attributes,
// besides custom ones (two hyphens in front).
var safeStyles = scan.WordSet(`
background background-color background-image background-position background-repeat background-size
background-attachment background-blend-mode border border-radius border-width border-color
border-style border-right border-right-color border-right-style border-right-width border-bottom
border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style
border-bottom-width border-left border-left-color border-left-style border-left-width border-top
border-top-color border-top-left-radius border-top-right-radius border-top-style border-top-width
border-spacing border-collapse caption-side columns column-count column-fill column-gap column-rule
column-span column-width display color filter font font-family font-size font-style font-variant
font-weight letter-spacing line-height text-align text-decoration text-indent text-transform
white-space height min-height max-height width min-width max-width margin margin-right margin-bottom
margin-left margin-top margin-block-start margin-block-end margin-inline-start margin-inline-end
padding padding-right padding-bottom padding-left padding-top padding-block-start padding-block-end
padding-inline-start padding-inline-end flex flex-basis flex-direction flex-flow flex-grow
flex-shrink flex-wrap gap row-gap grid-template-columns grid-auto-columns grid-column-start
grid-column-end grid-column grid-column-gap grid-template-rows grid-auto-rows grid-row-start
grid-row-end grid-row grid-row-gap grid-gap justify-content justify-items justify-self align-content
align-items align-self clear cursor direction float list-style-type object-fit object-position
opacity overflow vertical-align writing-mode position top right bottom left z-index box-shadow
aspect-ratio container-type
`)

// safeCSS reproduces WordPress's safecss_filter_attr: it keeps the declarations of a
// style attribute that have a safe property and a harmless value.
func safeCSS(css string) string {
	var safe []string
	for declaration := range strings.SplitSeq(css, ";") {
		declaration = php.Trim(declaration)
		property, value, ok := strings.Cut(declaration, ":")
		property = php.Trim(property)
		if ok && (safeStyles[property] || isCustomProperty(property)) && safeStyleValue(property, value) {
			safe = append(safe, declaration)
		}
	}
	return strings.Join(safe, ";")
}

func isCustomProperty(name string) bool {
	rest, ok := strings.CutPrefix(name, "--")
	return ok && isName(rest)
}

// safeStyleValue reports whether a value is harmless once calls of harmless
// functions are removed.
func safeStyleValue(property, value string) bool {
	value, ok := removeFunctions(property, value)
	return ok && !strings.ContainsAny(value, `\(&=}`) && !strings.Contains(value, "/*")
}

// removeFunctions removes the calls of harmless functions from a value. It returns false
// if a URL's scheme isn't allowed.
func removeFunctions(property, value string) (string, bool) {
	if !strings.Contains(value, "(") {
		return value, true
	}
	closing := matchBrackets(value)
	p := scan.Patch{Src: value}
	for i := range p.Each("(") {
		start := i
		for start > p.Done && (scan.IsWord(value[start-1]) || value[start-1] == '-') {
			start--
		}
		switch name := value[start:i]; {
		case name == "url" && (urlStyles[property] || isCustomProperty(property)):
			end := scan.IndexFrom(value, ')', i)
			if end < 0 {
				return "", false
			}
			address := strings.Trim(php.Trim(value[i+1:end]), `"'`)
			if address == "" || escape.CutBadProtocol(address) != address {
				return "", false
			}
			p.Replace(start, end+1)
		case closing[i] > 0 && (mathFunctions[name] ||
			gradients[strings.TrimPrefix(name, "repeating-")] && (gradientStyles[property] || isCustomProperty(property))):
			p.Replace(start, closing[i]+1)
		}
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

// The functions that values may call, and the properties, beside custom ones, whose
// values may call url and gradients.
var (
	mathFunctions  = scan.WordSet("var calc min max minmax clamp repeat")
	gradients      = scan.WordSet("linear-gradient radial-gradient conic-gradient")
	urlStyles      = scan.WordSet("background background-image cursor filter")
	gradientStyles = scan.WordSet("background background-image")
)
