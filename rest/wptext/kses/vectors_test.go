package kses

import (
	"testing"

	"calbridge/rest/wptext/texttest"
	"calbridge/wpstore/php"
)

func TestVectors(t *testing.T) {
	texttest.Check(t, "kses.json", func(v texttest.Vector) (string, bool) {
		switch v.Filter {
		case "content_save_pre":
			return Filter(v.Input, PostHTML("https://cal.example.test/wp-content/uploads"), nil), true
		case "title_save_pre":
			return Title(php.Trim(v.Input), nil), true
		}
		t.Fatalf("%s: unknown filter %q", v.Name, v.Filter)
		return "", false
	})
}

// TestRows checks what recorded writes left of the texts of an author, who may not
// write unfiltered HTML.
func TestRows(t *testing.T) {
	for _, v := range texttest.Vectors[texttest.Row](t, "write.json") {
		if v.Output.Row == nil || v.Role != "author" {
			continue
		}
		for column, got := range map[string]string{
			"post_title":   Title(php.Trim(v.Input.Title+v.Input.Venue+v.Input.Organizer), nil),
			"post_content": Post(v.Input.Description, nil), "post_excerpt": Post(v.Input.Excerpt, nil),
		} {
			if want := v.Output.Row[column]; got != want {
				t.Errorf("%s: %s %q, want %q", v.Name, column, got, want)
			}
		}
	}
}
