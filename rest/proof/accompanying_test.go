package proof

import (
	"slices"
	"testing"
)

// TestAccompanying checks what counts as changed by comparisons.
func TestAccompanying(t *testing.T) {
	for _, c := range []struct {
		name          string
		with, without int // comparisons during which it changes, or doesn't
		want          []string
	}{
		{"each", 5, 0, []string{"views"}},
		{"too few", 4, 0, nil},
		{"nearly each", 20, 4, []string{"views"}},
		{"some", 20, 5, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var a accompanying
			a.change("views")
			for range c.with {
				begun := a.count()
				a.change("views")
				a.compared(begun)
			}
			for range c.without {
				a.compared(a.count())
			}
			if got := a.names(); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// TestHarmlessMeta checks that only patterns for metadata match metadata.
func TestHarmlessMeta(t *testing.T) {
	for _, c := range []struct {
		pattern string
		want    bool
	}{{"postmeta:views", true}, {"postmeta:view*", true}, {"post*", false}, {"*", false}, {"postmeta:other", false}} {
		if got := harmless("postmeta:views", []string{c.pattern}); got != c.want {
			t.Errorf("%s: %t", c.pattern, got)
		}
	}
}
