package typography

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/texttest"
)

func FuzzTexturize(f *testing.F) {
	texttest.AddSeeds(f, `6'2" 'til '99" 3x4x5`, "<pre>''</pre>[[audio]]<code", "[caption]\"x\"[/caption]")
	f.Fuzz(func(t *testing.T, s string) {
		for _, loc := range []*Locale{nil, LocaleFor("cs_CZ")} {
			out := Texturize(s, loc)
			// Outside of untouched elements no bare ampersand is left.
			if !strings.ContainsAny(s, "<[") && escape.Ampersands(out) != out {
				t.Errorf("bare ampersand in %q", out)
			}
		}
		if !texturizable(s) && Texturize(s, nil) != s {
			t.Errorf("changed %q", s)
		}
	})
}
