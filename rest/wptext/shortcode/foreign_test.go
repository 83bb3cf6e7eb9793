package shortcode

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestForeign(t *testing.T) {
	for in, want := range map[string]string{
		"plain [1] [sic] [see page 3] [a-z] [a b=] [x=1] [a[b=1]": "",
		"[gallery a=1] [audio]x[/audio]":                          "",
		"[map zoom=3] [map zoom = '3' /]":                         "[map] [map]",
		"[spoiler]x[/spoiler] [my_word] [known/]":                 "[known] [spoiler] [my_word]",
		"[a:b c=d] [_x] [5_x] [a_b":                               "[a:b] [_x]",
	} {
		var notes []string
		(&Foreign{Names: []string{"known"}}).Note(in, false, func(name string) { notes = append(notes, name) })
		if got := strings.Join(notes, " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for name, want := range map[string]int{"[" + strings.Repeat("x", 62) + "_x]": 1, "[" + strings.Repeat("x", 63) + "_x]": 0, "[map a=q]": 1} {
		count := 0
		(&Foreign{}).Note(name, false, func(string) { count++ })
		if count != want {
			t.Errorf("%s: %d times", name, count)
		}
	}
	count := 0
	(&Foreign{}).Note("[sic] [1] [two words]", true, func(string) { count++ })
	if count != 2 {
		t.Errorf("%d shortcodes where there is nothing else", count)
	}
}

// FuzzShortcodeWords: what is counted stands in the text, as a shortcode would.
func FuzzShortcodeWords(f *testing.F) {
	for _, seed := range append([]string{"[a_b][c d=1][e]x[/e]", "[" + strings.Repeat("x", 100) + "_]", "[[a_b]]", "[/"}, texttest.ContentSeeds...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var names []string
		(&Foreign{}).Note(s, true, func(name string) { names = append(names, name) })
		for _, name := range names {
			if !strings.Contains(s, strings.TrimSuffix(name, "]")) || len(name) > maxName+2 {
				t.Errorf("%q in %q", name, s)
			}
		}
	})
}
