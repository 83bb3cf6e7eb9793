package kses

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

// safeProperties are the properties of style attributes by family: each of the second
// words follows each of the first ones; "=" stands for the first word alone.
var safeProperties = [][2]string{
	{"background", "= -attachment -blend-mode -color -image -position -repeat -size"},
	{"border", "= -collapse -color -radius -spacing -style -width"},
	{"border-bottom border-left border-right border-top", "= -color -style -width"},
	{"border-bottom border-top", "-left-radius -right-radius"},
	{"margin padding", "= -block-end -block-start -bottom -inline-end -inline-start -left -right -top"},
	{"height width", "="},
	{"max min", "-height -width"},
	{"column", "-count -fill -gap -rule -span -width s"},
	{"flex", "= -basis -direction -flow -grow -shrink -wrap"},
	{"font", "= -family -size -style -variant -weight"},
	{"text", "-align -decoration -indent -transform"},
	{"grid-column grid-row", "= -end -gap -start"},
	{"grid", "-auto-columns -auto-rows -gap -template-columns -template-rows"},
	{"gap row-gap", "="},
	{"justify", "-content -items -self"},
	{"align", "-content -items -self"},
	{"object", "-fit -position"},
	{"letter-spacing line-height list-style-type white-space writing-mode vertical-align", "="},
	{"aspect-ratio box-shadow caption-side clear color container-type cursor direction display filter float opacity overflow", "="},
	{"position top right bottom left z-index", "="},
	{"--x --a-b_c --B2", "="},
}

func TestSafeProperties(t *testing.T) {
	for _, family := range safeProperties {
		for first := range strings.FieldsSeq(family[0]) {
			for second := range strings.FieldsSeq(family[1]) {
				style := first + strings.TrimPrefix(second, "=") + ":1"
				if got := Style(style, nil); got != style {
					t.Errorf("%s: %q", style, got)
				}
			}
		}
	}
	for property := range strings.FieldsSeq("behavior -moz-binding content src transform animation all -- --é -x visibility border-image") {
		if got := Style(property+":1", nil); got != "" {
			t.Errorf("%s: %q", property, got)
		}
	}
}

func TestStyle(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return Style(s, nil) },
		" color : red ; ; width:1px;", "color : red;;width:1px", "color:; ", "color:", "; ; ;a", "a", "a; ;", "a;", "color", "color", "var(--a)b", "var(--a)b", "url(a)", "", "a{b", "a{b", "a}b", "", "background:-webkit-calc(1px)", "background:-webkit-calc(1px)",
		// functions that any property may call, also in each other
		"width:calc(1px + var(--a))", "width:calc(1px + var(--a))", "width:min(1px,2px)", "width:min(1px,2px)",
		"width:max(1px,2px)", "width:max(1px,2px)", "gap:clamp(1px,2px,3px)", "gap:clamp(1px,2px,3px)",
		"grid-template-columns:repeat(2,minmax(1px,2px))", "grid-template-columns:repeat(2,minmax(1px,2px))",
		"width:minmax(1px,1fr)", "width:minmax(1px,1fr)",
		"width:calc(1px", "", "width:attr(x)", "", "color:rgb(1,2,3)", "", "width:xcalc(1px)", "",
		// gradients belong to backgrounds and custom properties
		"background:linear-gradient(red,blue)", "background:linear-gradient(red,blue)",
		"background-image:repeating-radial-gradient(red,blue)", "background-image:repeating-radial-gradient(red,blue)",
		"--a:conic-gradient(red,blue)", "--a:conic-gradient(red,blue)", "color:linear-gradient(red,blue)", "", "cursor:linear-gradient(red,blue)", "",
		// addresses, with an allowed scheme or none
		"background:url(a.png)", "background:url(a.png)", "background-image:url('https://a.example/b')", "background-image:url('https://a.example/b')",
		"cursor:url(a.cur),auto", "cursor:url(a.cur),auto", "filter:url(#a)", "filter:url(#a)", "--a:url(b)", "--a:url(b)",
		"color:url(a)", "", "background:url(javascript:a)", "", "background:url()", "", "background:url(a", "",
		// what could end the style or hide something
		`color:\72ed`, "", "color:a&b", "", "color:a=b", "", "color:a}b", "", "color:/*a", "", "color:a/b", "color:a/b", "width:(1px)", "",
	)
}
