package kses

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/texttest"
)

// attributesOf has, for groups of attributes, the elements of a post that may have them:
// what probing WordPress 7.0 showed, the other way round than the filter's list.
var attributesOf = [][2]string{
	{"align", "article aside caption col colgroup details div figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr img legend li main mtable nav p section span summary table tbody td tfoot th thead tr"},
	{"width", "col colgroup hr img mpadded mspace mtable pre table td th video"},
	{"char charoff valign", "col colgroup tbody td tfoot th thead tr"},
	{"height", "img mpadded mspace td th video"},
	{"name", "a button details map textarea"},
	{"type", "button menu object ol ul"},
	{"value", "button data li meter progress"},
	{"bgcolor", "table td th tr"},
	{"src", "audio img track video"},
	{"accent accentunder", "mover munder munderover"},
	{"cite", "blockquote ins q"},
	{"columnalign rowalign", "mtable mtd mtr"},
	{"datetime", "del ins time"},
	{"popover", "dialog div ul"},
	{"rowspan", "mtd td th"},
	{"abbr axis colspan headers nowrap scope", "td th"},
	{"alt", "area img"},
	{"autoplay controls loop muted preload", "audio video"},
	{"border", "img table"},
	{"depth", "mpadded mspace"},
	{"disabled", "button textarea"},
	{"href target", "a area"},
	{"lspace", "mo mpadded"},
	{"max", "meter progress"},
	{"open", "details dialog"},
	{"size", "font hr"},
	{"span", "col colgroup"},
	{"aria-haspopup popovertarget popovertargetaction", "button"},
	{"cellpadding cellspacing rules summary", "table"},
	{"closedby", "dialog"},
	{"color face", "font"},
	{"cols readonly rows", "textarea"},
	{"columnlines columnspacing frame framespacing rowlines rowspacing", "mtable"},
	{"columnspan", "mtd"},
	{"coords nohref shape", "area"},
	{"data", "object"},
	{"default kind label srclang", "track"},
	{"display", "math"},
	{"download rel rev", "a"},
	{"encoding", "annotation"},
	{"fence form largeop maxsize minsize movablelimits rspace separator stretchy symmetric", "mo"},
	{"for", "label"},
	{"high low min optimum", "meter"},
	{"hspace loading longdesc usemap vspace", "img"},
	{"linethickness", "mfrac"},
	{"mathvariant", "mi"},
	{"noshade", "hr"},
	{"notation", "menclose"},
	{"playsinline poster", "video"},
	{"reversed start", "ol"},
	{"voffset", "mpadded"},
	{"displaystyle mathbackground mathcolor mathsize scriptlevel", mathElements},
	{"aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label aria-labelledby aria-live", allElements},
	{"class data-x data-a_b-c dir hidden id lang role style title xml:lang", allElements},
}

const (
	allElements = "*"

	// Elements with the global attributes alone.
	plainElements = `abbr acronym address b bdo big br cite code dd dfn dl dt em fieldset i kbd mark rb rp rt rtc
ruby s samp search small strike strong sub sup title tt u var wbr`

	mathElements = `annotation math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts
mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics`

	// Elements and attributes of HTML that no post may have.
	forbiddenElements   = "script style iframe form input select option svg embed source base link meta applet frame q2 x-y"
	forbiddenAttributes = "onclick onload action formaction srcset sizes xmlns x data data- data-é srcdoc autofocus ping"
)

// TestPostElements tries every attribute on every element.
func TestPostElements(t *testing.T) {
	allowed := map[string]map[string]bool{}
	for name := range strings.FieldsSeq(plainElements + " " + mathElements) {
		allowed[name] = map[string]bool{}
	}
	var everywhere []string
	attributes := markup.WordSet(forbiddenAttributes)
	for _, row := range attributesOf {
		for attribute := range strings.FieldsSeq(row[0]) {
			attributes[attribute] = true
			if row[1] == allElements {
				everywhere = append(everywhere, attribute)
				continue
			}
			for name := range strings.FieldsSeq(row[1]) {
				if allowed[name] == nil {
					allowed[name] = map[string]bool{}
				}
				allowed[name][attribute] = true
			}
		}
	}
	for name, own := range allowed {
		for attribute := range attributes {
			value, want := "v", "<"+name+">"
			if attribute == "style" {
				value = "color:red"
			}
			in := "<" + name + " " + attribute + `="` + value + `">`
			switch {
			case name == "object", attribute == "download": // TestObject, TestDownload
				continue
			case own[attribute] || slices.Contains(everywhere, attribute):
				want = in
			}
			if got := Post(in, nil); got != want {
				t.Errorf("%s: got %s, want %s", in, got, want)
			}
		}
		if got, want := Post("<"+strings.ToUpper(name)+">x</"+name+" >", nil), "<"+strings.ToUpper(name)+">x</"+name+">"; got != want && name != "object" {
			t.Errorf("%s: got %s", want, got)
		}
	}
	for name := range strings.FieldsSeq(forbiddenElements) {
		if got := Post("<"+name+` class="v">x</`+name+">", nil); got != "x" {
			t.Errorf("<%s>: %s", name, got)
		}
	}
}

func TestObject(t *testing.T) {
	const uploads = "https://town.example/files"
	for in, want := range map[string]string{
		`<object data="https://town.example/files/a.pdf" type="application/pdf">`:                  `<object data="https://town.example/files/a.pdf" type="application/pdf">`,
		`<object type="Application/PDF" data="https://town.example/files/a.pdf" class="x" name=y>`: `<object type="Application/PDF" data="https://town.example/files/a.pdf" class="x">`,
		`<object data="https://town.example/files/a.pdf">`:                                         "<object>",
		`<object type="application/pdf" class="x">`:                                                "<object>",
		`<object data="https://town.example/files/a.pdf" type="text/html">`:                        "<object>",
		`<object data="https://town.example/files/a.pdf?x" type="application/pdf">`:                "<object>",
		`<object data="https://town.example/files/a.png" type="application/pdf">`:                  "<object>",
		`<object data="https://else.example/files/a.pdf" type="application/pdf">`:                  "<object>",
		`<object data="https://town.example:80/files/a.pdf" type="application/pdf">`:               "<object>",
		`<object data="http://town.example/b.pdf" type="application/pdf">`:                         `<object data="http://town.example/b.pdf" type="application/pdf">`,
	} {
		if got := Filter(in, PostHTML(uploads), nil); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	if got := Post(`<object data="/a.pdf" type="application/pdf">`, nil); got != "<object>" {
		t.Errorf("without uploads: %s", got)
	}
}

func TestDownload(t *testing.T) {
	texttest.CheckPairs(t, post, "<a download>", "<a download>", `<a download="x">`, "<a>", "<b download>", "<b>")
}

// TestTitleElements tries every attribute on the elements of titles.
func TestTitleElements(t *testing.T) {
	checkList(t, title, map[string]string{
		"a": "href title", "abbr": "title", "acronym": "title", "b": "", "blockquote": "cite", "cite": "", "code": "",
		"del": "datetime", "em": "", "i": "", "q": "cite", "s": "", "strike": "", "strong": "",
	}, "p div span h2 img ul li u tt br script")
}

// TestLDExcerptElements does so for the descriptions of JSON-LD.
func TestLDExcerptElements(t *testing.T) {
	checkList(t, ldExcerpt, map[string]string{
		"a": "class style href rel target id", "b": "class style", "strong": "class style", "em": "class style",
		"span": "class style", "ul": "class style", "li": "class style", "ol": "class style",
	}, "p div i img h2 br blockquote script")
}

func checkList(t *testing.T, filter func(string) string, list map[string]string, forbidden string) {
	t.Helper()
	for name, own := range list {
		for attribute := range strings.FieldsSeq("href title cite datetime class style rel target id src onclick data-x aria-label") {
			in, want := "<"+name+" "+attribute+`="color:red">`, "<"+name+">"
			if attribute != "style" {
				in = strings.Replace(in, "color:red", "v", 1)
			}
			if slices.Contains(strings.Fields(own), attribute) {
				want = in
			}
			if got := filter(in); got != want {
				t.Errorf("%s: got %s, want %s", in, got, want)
			}
		}
	}
	for name := range strings.FieldsSeq(forbidden) {
		if got := filter("<" + name + ">x</" + name + ">"); got != "x" {
			t.Errorf("<%s>: %s", name, got)
		}
	}
}

// TestURLAttributes: a scheme that isn't allowed is cut off in attributes that hold
// addresses, and in no others.
func TestURLAttributes(t *testing.T) {
	const urls = `action archive background cite classid codebase data formaction href icon longdesc manifest poster
profile src usemap xmlns`
	own := newAllowed("x-y alt label " + strings.Join(strings.Fields(urls), " "))
	for name := range strings.FieldsSeq(urls) {
		if got := Filter("<x-y "+name+`="javascript:b">`, own, nil); got != "<x-y "+name+`="b">` {
			t.Errorf("%s: %s", name, got)
		}
	}
	texttest.CheckPairs(t, func(s string) string { return Filter(s, own, nil) },
		`<x-y alt="javascript:b">`, `<x-y alt="javascript:b">`, `<x-y label="a:b">`, `<x-y label="a:b">`)
}

// TestRecordedLists compares the lists with what was probed on WordPress.
func TestRecordedLists(t *testing.T) {
	var probed struct {
		Global   []string `json:"global_attributes"`
		Elements map[string][]string
	}
	texttest.ReadJSON(t, &probed, "spec", "rendering-data", "kses_post_allowed.json")
	elements := map[string]bool{}
	for name, e := range postHTML.elements {
		elements[name] = e.sites.In(nil)
	}
	if got := allowedNames(elements); !slices.Equal(got, slices.Sorted(maps.Keys(probed.Elements))) {
		t.Errorf("elements %q", got)
	}
	for name, attributes := range probed.Elements {
		if got := today(postHTML.elements[name].attributes); !slices.Equal(got, slices.Sorted(slices.Values(attributes))) {
			t.Errorf("%s: %q, want %q", name, got, attributes)
		}
	}
	if got := append(today(postHTML.global), "data-*"); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(probed.Global))) {
		t.Errorf("everywhere: %q", got)
	}
	var css struct {
		Safe []string `json:"safe_style_css"`
	}
	texttest.ReadJSON(t, &css, "spec", "rendering-data", "safe_css.json")
	for _, property := range css.Safe {
		if !safeStyles.allow(property, nil) && property != "--*" {
			t.Errorf("style %s is missing", property)
		}
	}
	if got := today(safeStyles); len(got) != len(css.Safe)-1 {
		t.Errorf("%d styles, want %d", len(got), len(css.Safe)-1)
	}
}

// today returns the names that WordPress 7.0 allows, sorted.
func today(n names) []string {
	allowed := map[string]bool{}
	for name, sites := range n {
		allowed[name] = sites.In(nil)
	}
	return allowedNames(allowed)
}

func allowedNames(allowed map[string]bool) []string {
	maps.DeleteFunc(allowed, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(allowed))
}
