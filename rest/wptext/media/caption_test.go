package media

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func FuzzCaption(f *testing.F) {
	for _, s := range texttest.ContentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if image, rest, ok := splitCaption(s); ok && !strings.HasSuffix(s, image+rest) {
			t.Errorf("%q: image %q, text %q", s, image, rest)
		}
	})
}
