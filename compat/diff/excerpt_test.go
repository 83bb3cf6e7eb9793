package diff

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHead(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"short", 5, "short"}, {"longer", 4, "long…"}, {"čaj", 1, "…"}, {"čaj", 2, "č…"}, {"", 0, ""}} {
		if got := Head(c.text, c.n); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestAround(t *testing.T) {
	long := strings.Repeat("a", 100) + "X" + strings.Repeat("b", 100)
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"plain \"text\"", 3, `"plain \"text\""`},
		{long, 100, `…"` + strings.Repeat("a", 24) + "X" + strings.Repeat("b", 71) + `"…`},
		{strings.Repeat("č", 50), 25, `"` + strings.Repeat("č", 49) + `"…`}, // both ends move to a character's edge
		{strings.Repeat("č", 20), 40, `…"` + strings.Repeat("č", 12) + `"`},
		{"abc", 9, `"abc"`},
	} {
		if got := Around(c.text, c.at); got != c.want || !utf8.ValidString(got) {
			t.Errorf("%q at %d: %s, want %s", c.text, c.at, got, c.want)
		}
	}
}

func TestCommonPrefix(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"abc", "abd", 2}, {"ab", "abd", 2}, {"", "a", 0}, {"x", "y", 0}} {
		if got := CommonPrefix(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %d", c.a, c.b, got)
		}
	}
}
