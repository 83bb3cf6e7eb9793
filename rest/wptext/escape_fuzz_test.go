package wptext

import (
	"strings"
	"testing"
)

func FuzzEscape(f *testing.F) {
	addSeeds(f, "&#39 &#x027; \\n \\\\0", "javascript:x", "http://[::1]/[x]?a=[b]&c='d'", "mailto:a%0db", ";//x", "%0%0dd", "a@b.c")
	f.Fuzz(func(t *testing.T, s string) {
		for name, fn := range map[string]func(string) string{"EscHTML": EscHTML, "NormalizeEntities": NormalizeEntities} {
			if out := fn(s); fn(out) != out {
				t.Errorf("%s(%q) = %q, again %q", name, s, out, fn(out))
			}
		}
		if out := EscHTML(s); strings.ContainsAny(out, `<>"'`) {
			t.Errorf("EscHTML(%q) = %q", s, out)
		}
		EscJS(s)
		EscURL(s, true)
		EscURL(s, false)
		if m := SanitizeEmail(s); m != "" && !IsEmail(m) && len(m) >= 6 {
			t.Logf("SanitizeEmail(%q) = %q is not stable", s, m)
		}
	})
}
