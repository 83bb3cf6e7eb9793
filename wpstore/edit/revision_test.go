package edit

import "testing"

func TestSameText(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"a b", " a  b\n", true}, {"a\r\nb", "a\n\nb", true}, {"a b", "a\nb", false}, {"", "", true}, {"a", "b", false},
	} {
		if got := sameText(tt.a, tt.b); got != tt.same {
			t.Errorf("sameText(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}
