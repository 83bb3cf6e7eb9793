package wpml

import (
	"strings"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/phpserial"
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

func TestOrdinalDate(t *testing.T) {
	for day, want := range map[int]string{
		1: "March the 1st, 2027", 2: "March the 2nd, 2027", 3: "March the 3rd, 2027", 4: "March the 4th, 2027",
		11: "March the 11th, 2027", 12: "March the 12th, 2027", 13: "March the 13th, 2027",
		21: "March the 21st, 2027", 22: "March the 22nd, 2027", 30: "March the 30th, 2027",
	} {
		if got := ordinalDate(time.Date(2027, 3, day, 0, 0, 0, 0, time.UTC)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWithChild(t *testing.T) {
	const stored = `a:1:{i:3;a:2:{i:0;s:1:"4";i:1;s:1:"5";}}`
	for _, c := range []struct {
		name   string
		change langplugin.ChildChange
		want   string
	}{
		{"new under a known parent", langplugin.ChildChange{Term: wpstore.Term{ID: 9, Parent: 3}, Made: true},
			`a:1:{i:3;a:3:{i:0;s:1:"4";i:1;s:1:"5";i:2;s:1:"9";}}`},
		{"new under another", langplugin.ChildChange{Term: wpstore.Term{ID: 9, Parent: 4}, Made: true},
			`a:2:{i:3;a:2:{i:0;s:1:"4";i:1;s:1:"5";}i:4;a:1:{i:0;s:1:"9";}}`},
		{"moved", langplugin.ChildChange{Term: wpstore.Term{ID: 5, Parent: 4}, OldParent: 3},
			`a:2:{i:3;a:1:{i:0;s:1:"4";}i:4;a:1:{i:0;s:1:"5";}}`},
		{"moved to the top", langplugin.ChildChange{Term: wpstore.Term{ID: 5}, OldParent: 3}, `a:1:{i:3;a:1:{i:0;s:1:"4";}}`},
	} {
		if got := phpserial.Serialize(withChild(phpserial.Array(stored), c.change)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if got := phpserial.Serialize(withChild(nil, langplugin.ChildChange{Term: wpstore.Term{ID: 9, Parent: 3}})); got != `a:1:{i:3;a:1:{i:0;s:1:"9";}}` {
		t.Errorf("without an option: %s", got)
	}
}
