package wptext

import (
	"strings"
	"testing"
)

func FuzzCaption(f *testing.F) {
	for _, s := range contentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if image, rest, ok := splitCaption(s); ok && !strings.HasSuffix(s, image+rest) {
			t.Errorf("%q: image %q, text %q", s, image, rest)
		}
	})
}
