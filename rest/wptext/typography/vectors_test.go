package typography

import (
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestTexturizeVectors(t *testing.T) {
	texttest.Check(t, "wptexturize.json", func(v texttest.Vector) (string, bool) { return Texturize(v.Input, LocaleFor(v.Locale)), true })
}

func TestTitleVectors(t *testing.T) {
	texttest.Check(t, "title.json", func(v texttest.Vector) (string, bool) { return Title(v.Input, LocaleFor(v.Locale)), true })
}
