package media

import "testing"

func TestMayHaveLoneURL(t *testing.T) {
	for s, want := range map[string]bool{
		"":                                  false,
		"https://a.example":                 true,
		"HTTP://a.example":                  true,
		"see http://a.example":              true,
		"<p>https://a.example</p>":          true,
		"one\nhttps://a.example":            true,
		`<a href="https://a.example">a</a>`: false,
		"ftp://a.example, xhttps://b":       false,
		"://, http:/, https//":              false,
		`"http://a" http://b`:               true,
		"shttp://a":                         false,
	} {
		if got := mayHaveLoneURL(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
