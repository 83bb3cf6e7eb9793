package kses

import (
	"strings"
	"testing"
	"unicode/utf8"

	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/texttest"
)

func FuzzKses(f *testing.F) {
	texttest.AddSeeds(f, `<a href="java&#115;cript:x" style='color:red;background:url(x)' download>`, "<!-- > <!-- --><b/ x=y>",
		`<!-- wp:a {"b":"<i>"} --><!-- /wp:a -->`, "<scr<script>ipt>", `<object data="u/a.pdf" type=application/pdf>`,
		"</1><!doctype>", "&#x41;&#0065;&bogus;", `<p style="width:calc((1px))">`, `<a target=x href='b'c="d>`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, allowed := range []Allowed{PostHTML("u"), titleHTML, excerptHTML} {
			Filter(s, allowed, of("6.5"))
			Filter(s, allowed, of("7.1"))
			out := Filter(s, allowed, nil)
			for i := strings.IndexByte(out, '<'); i >= 0; i = markup.IndexFrom(out, '<', i+1) {
				name := strings.TrimPrefix(out[i+1:], "/")
				end := 0
				for end < len(name) && (markup.IsLetter(name[end]) || markup.IsDigit(name[end]) || name[end] == '-') {
					end++
				}
				if _, ok := allowed.elements[markup.LowerASCII(name[:end])]; end > 0 && markup.IsLetter(name[0]) && !ok {
					t.Errorf("Kses(%q) = %q keeps <%s>", s, out, name[:end])
				}
			}
			// A comment may settle only in a second run, and each run removes a backslash. A style
			// that the first run has changed has another form of the apostrophe.
			same := strings.NewReplacer("&apos;", "&#039;").Replace
			if again := Filter(out, allowed, nil); utf8.ValidString(s) && same(again) != same(out) && !strings.Contains(s, "<!") && !strings.Contains(s, "</") && !strings.Contains(s, `\`) {
				t.Errorf("Kses(%q) = %q, again %q", s, out, again)
			}
		}
	})
}
