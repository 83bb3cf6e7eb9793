package markup

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestTags(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"a < b <3 </p> <!x> <?y>":  "",
		"<P a><b/>c<i >":           "p b i",
		`<a b=">" c='>'><d>`:       "a d",
		"<!-- <a> --><b>":          "b",
		"<!--><b>":                 "b",
		"<!-- <a>":                 "",
		"<a b='><c>":               "",
		"<a b":                     "",
		"<script><b></script><c>":  "script c",
		"<STYLE><b></Style><c>":    "style c",
		"<title><b></title><c>":    "title c",
		"<textarea><b></textarea>": "textarea",
		"<script><b>":              "script",
		"<x-y:z a>":                "x-y:z",
	} {
		var names []string
		for tag := range Tags(in) {
			names = append(names, tag.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	if tag, ok := FirstTag("<a><b x=1><c>", "c", "b"); !ok || tag.Name != "b" || tag.End != 10 {
		t.Errorf("FirstTag: %+v", tag)
	}
	if _, ok := FirstTag("<a>", "b"); ok {
		t.Error("found a tag of another name")
	}
	if tag, ok := FirstTag("x<a>"); !ok || tag.Name != "a" {
		t.Error("FirstTag without names")
	}
}

// TestAttributes: attributes as the tokenizer of the HTML standard reads them.
func TestAttributes(t *testing.T) {
	for in, want := range map[string]string{
		"<a>":                        "",
		"<a b>":                      "b",
		"<a b=c d = 'e f' g=\"h'\">": "b=c d=e f g=h'",
		"<a b=>":                     "b=",
		"<a b= >":                    "b=",
		"<a =b=c>":                   "=b=c",
		"<a/b/c=d/e>":                "b c=d/e",
		"<a b\n=\tc\fd>":             "b=c d",
		"<a b='c'd>":                 "b=c d",
		"<a b\vc=\vd>":               "b\vc=\vd", // \v is no white space in HTML
		"<a b='c>":                   "unfinished",
		"<a b":                       "b unfinished",
	} {
		var list []string
		for p := len("<a"); ; {
			a, ok := NextAttr(in, p)
			if !ok {
				if a.End == len(in) {
					list = append(list, "unfinished")
				} else if in[a.End] != '>' {
					t.Errorf("%q ends at %d", in, a.End)
				}
				break
			}
			text := in[a.Start:a.NameEnd]
			if a.End > a.NameEnd {
				text += "=" + in[a.ValueStart:a.ValueEnd]
			}
			list = append(list, text)
			p = a.End
		}
		if got := strings.Join(list, " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	const tag = `<a b=c B="d" e>`
	first, _ := FirstTag(tag)
	if got := fmt.Sprint(first.Value(tag, "b"), first.Value(tag, "e"), first.Value(tag, "f")); got != "c" {
		t.Errorf("values: %q", got)
	}
	if _, ok := first.Attr(tag, "e"); !ok {
		t.Error("an attribute without value isn't found")
	}
}

func TestAddClass(t *testing.T) {
	add := func(s string) string {
		tag, _ := FirstTag(s)
		return AddClass(s, tag, "one", "two", "one")
	}
	texttest.CheckPairs(t, add,
		"<p>x", `<p class="one two">x`, "<p id=a>", `<p class="one two" id=a>`, `<p CLASS='a  b ' id=c>`, `<p class="a  b one two" id=c>`,
		`<p class="two">`, `<p class="two one">`, `<p class="one two">`, `<p class="one two">`, `<p class>`, `<p class="one two">`,
		`<p class='a"b'>`, `<p class="a&quot;b one two">`, "<br/>", `<br class="one two"/>`)
	if !HasClass("a  b\tc", "b") || HasClass("ab", "a") || HasClass("", "") {
		t.Error("HasClass")
	}
}

func TestSetFirstAttr(t *testing.T) {
	set := func(s string) string {
		tag, _ := FirstTag(s)
		return SetFirstAttr(s, tag, "data-id", "7")
	}
	texttest.CheckPairs(t, set, "<img src=a>", `<img data-id="7" src=a>`, "<img src=a data-id='1' alt>", `<img src=a data-id="7" alt>`, "<img/>", `<img data-id="7"/>`)
}

func TestReplaceInTokens(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return ReplaceInTokens(s, "x", "yy") },
		"x<x>x<!-- x -->x<![CDATA[x]]>x<x", "x<yy>x<!-- yy -->x<![CDATA[yy]]>x<yy", "x", "x", "<a>x", "<a>x")
}
