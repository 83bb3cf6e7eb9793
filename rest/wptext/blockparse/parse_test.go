package blockparse

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

// FuzzBlocks checks that parsing loses no text: what is left are the comments.
func FuzzBlocks(f *testing.F) {
	for _, s := range texttest.ContentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var text strings.Builder
		var collect func(list []*Block, depth int)
		collect = func(list []*Block, depth int) {
			if depth > maxDepth+1 {
				t.Fatal("nested too deep")
			}
			for _, b := range list {
				for _, p := range b.Parts {
					text.WriteString(p.Text)
					if p.Inner != nil {
						collect([]*Block{p.Inner}, depth+1)
					}
				}
			}
		}
		collect(Parse(s), 0)
		scanner := Scanner{S: s}
		var want strings.Builder
		pos, depth := 0, 0
		for {
			d, ok := scanner.Next(pos)
			if !ok || d.Closer && !d.Void && depth == 0 {
				break
			}
			want.WriteString(s[pos:d.Start])
			pos = d.End
			switch {
			case d.Void:
			case d.Closer:
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
