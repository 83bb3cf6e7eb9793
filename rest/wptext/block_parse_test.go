package wptext

import (
	"strings"
	"testing"
)

// FuzzBlocks checks that parsing loses no text: what is left are the comments.
func FuzzBlocks(f *testing.F) {
	for _, s := range contentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var text strings.Builder
		var collect func(list []*block, depth int)
		collect = func(list []*block, depth int) {
			if depth > maxBlockDepth+1 {
				t.Fatal("nested too deep")
			}
			for _, b := range list {
				for _, p := range b.parts {
					text.WriteString(p.text)
					if p.inner != nil {
						collect([]*block{p.inner}, depth+1)
					}
				}
			}
		}
		collect(parseBlocks(s), 0)
		scanner := delimiterScanner{s: s}
		var want strings.Builder
		pos, depth := 0, 0
		for {
			d, ok := scanner.next(pos)
			if !ok || d.closer && !d.void && depth == 0 {
				break
			}
			want.WriteString(s[pos:d.start])
			pos = d.end
			switch {
			case d.void:
			case d.closer:
				depth--
			default:
				depth++
			}
		}
		want.WriteString(s[pos:])
		if text.String() != want.String() {
			t.Errorf("%q\n got  %q\n want %q", s, text.String(), want.String())
		}
	})
}
