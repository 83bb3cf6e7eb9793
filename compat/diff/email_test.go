package diff

import "testing"

func TestDecodeEmail(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"info@example.org", "&#105;nfo&#64;ex&#97;mple.org"},
		{"nový@example.org", "nov&#195;&#189;&#64;example.org"},
		{"nov?&#189;@example.org", "nov&#195;?@example.org"},
	} {
		if a, b := decodeEmail(c.a), decodeEmail(c.b); a != b {
			t.Errorf("%q and %q differ: %q, %q", c.a, c.b, a, b)
		}
	}
	if decodeEmail("a@example.org") == decodeEmail("b@example.org") {
		t.Error("different addresses came out the same")
	}
}
