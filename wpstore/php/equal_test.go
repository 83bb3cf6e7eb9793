package php

import "testing"

// TestEqualTexts compares with == of PHP 8.2.
func TestEqualTexts(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "", true}, {"a", "a", true}, {"a", "A", false}, {"1", "1.0", true}, {"1e3", "1000", true}, {" 1", "1", true}, {"1 ", "1", true},
		{"0", "", false}, {"0", "-0", true}, {"abc", "0", false}, {"1a", "1", false}, {"0x1A", "26", false}, {"1", "2", false},
	} {
		if got := EqualTexts(c.a, c.b); got != c.want || EqualTexts(c.b, c.a) != c.want {
			t.Errorf("%q == %q: %v", c.a, c.b, got)
		}
	}
}
