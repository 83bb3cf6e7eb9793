package escape

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func FuzzEscape(f *testing.F) {
	texttest.AddSeeds(f, "&#39 &#x027; \\n \\\\0", "javascript:x", "http://[::1]/[x]?a=[b]&c='d'", "mailto:a%0db", ";//x", "%0%0dd", "a@b.c")
	f.Fuzz(func(t *testing.T, s string) {
		for name, fn := range map[string]func(string) string{"EscHTML": HTML, "NormalizeEntities": Rules{}.NormalizeEntities} {
			if out := fn(s); fn(out) != out {
				t.Errorf("%s(%q) = %q, again %q", name, s, out, fn(out))
			}
		}
		if out := HTML(s); strings.ContainsAny(out, `<>"'`) {
			t.Errorf("EscHTML(%q) = %q", s, out)
		}
		Rules{}.JS(s)
		Rules{}.URL(s)
		RawURL(s)
	})
}
