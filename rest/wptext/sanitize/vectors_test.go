package sanitize

import (
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestSlugVectors(t *testing.T) {
	texttest.Check(t, "sanitize_title.json", func(v texttest.Vector) (string, bool) { return Slug(v.Input, v.Locale), true })
}

func TestExcerptHelperVectors(t *testing.T) {
	texttest.Check(t, "excerpt.json", func(v texttest.Vector) (string, bool) {
		switch v.Fn {
		case "wp_trim_words":
			return TrimWords(v.Input, 55, "&hellip;"), true
		case "wp_strip_all_tags":
			return StripAllTags(v.Input), true
		}
		return "", false // of package content
	})
}

// TestSlugsOfRows checks the slugs of recorded writes.
func TestSlugsOfRows(t *testing.T) {
	for _, v := range texttest.Vectors[texttest.Row](t, "write.json") {
		if v.Output.Row == nil {
			continue
		}
		title := v.Output.Row["post_title"]
		if v.Input.Slug != "" {
			title = v.Input.Slug
		}
		if slug := Slug(title, "en_US"); slug != v.Output.Row["post_name"] {
			t.Errorf("%s: slug %q, want %q", v.Name, slug, v.Output.Row["post_name"])
		}
	}
}
