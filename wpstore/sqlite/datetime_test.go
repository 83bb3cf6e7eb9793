package sqlite

import (
	"testing"
)

// FuzzParseDatetime wants what is read to read as itself.
func FuzzParseDatetime(f *testing.F) {
	for _, s := range []string{"2026-11-21 12:30:45.5", "20261121", "26.1.2T3", "00-0-0", "  1-2-3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, ok := parseDatetime(s)
		if !ok {
			return
		}
		if twice, ok := parseDatetime(once); !ok || twice != once {
			t.Fatalf("%q is %q, which is %q", s, once, twice)
		}
	})
}
