package wpml

import (
	"strings"
	"testing"
	"time"
)

func TestWordCount(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  int64
	}{
		{nil, 0},
		{[]string{"", ""}, 0},
		{[]string{"Místo"}, 1},                // six bytes
		{[]string{"a b c d e f g"}, 1},        // white space does not count
		{[]string{"2026 1234567890"}, 0},      // nor do digits
		{[]string{"<b class='x'>abc</b>"}, 1}, // nor tags
		{[]string{"<!-- a > b -->abc"}, 1},
		{[]string{"a < b, five"}, 2}, // a sign followed by a blank is text
		{[]string{"a <b"}, 1},        // and one that nothing closes
		{[]string{"[gallery ids='1']abc"}, 1},
		{[]string{"[]abcdef"}, 2},
		{[]string{"write to somebody@example.org"}, 1},
		{[]string{"&amp;&lt;&gt;&quot;&#039;"}, 1},
		{[]string{"title", "content", "text"}, 3},
	} {
		if got := wordCount(c.texts...); got != c.want {
			t.Errorf("wordCount(%q) = %d, want %d", c.texts, got, c.want)
		}
	}
}

// A hostile text must not take quadratic time.
func TestWordCountIsLinear(t *testing.T) {
	for _, piece := range []string{"<", "<!--", "[", "[]", "a@", "< ", "@.", "&amp;"} {
		text := strings.Repeat(piece, 1<<20/len(piece)) + ">]-->"
		start := time.Now()
		wordCount(text)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%q repeated took %v", piece, took)
		}
	}
}

func FuzzWordCount(f *testing.F) {
	for _, seed := range []string{"", "<", "<!--", "[", "a@b.c", "&amp;amp;", "<a", "< >", "[[x]]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n := wordCount(text); n < 0 || n > int64(len(text)/bytesPerWord+1) {
			t.Errorf("wordCount(%q) = %d", text, n)
		}
	})
}
