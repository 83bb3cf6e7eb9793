package wptext

import (
	"strings"
	"testing"
)

func FuzzShortcodes(f *testing.F) {
	for _, s := range contentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		scanner := newShortcodeScanner(s, allShortcodes)
		for pos := 0; ; {
			found, ok := scanner.next(pos)
			if !ok {
				break
			}
			if found.start < pos || found.end <= found.start || found.end > len(s) || s[found.start] != '[' {
				t.Fatalf("%q: shortcode at %d to %d", s, found.start, found.end)
			}
			for key := range shortcodeAttrs(found.attrs).All() {
				if name := key.String(); strings.ContainsAny(name, " \n=\"'") {
					t.Fatalf("%q: attribute %q", s, name)
				}
			}
			pos = found.end
		}
	})
}
