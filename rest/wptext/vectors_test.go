package wptext_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/sanitize"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/php"
)

// vector is one recorded input and output of a text function of WordPress.
type vector struct {
	Name, Locale, Input, Output string

	Fn          string // excerpt.json: the function
	PostExcerpt string `json:"post_excerpt"`
	Filter      string // kses.json: the filter
}

// rowVector is a recorded write: what was sent and the row it made.
type rowVector struct {
	Name, Role string
	Input      struct{ Title, Venue, Organizer, Description, Excerpt, Slug string }
	Output     struct{ Row map[string]string }
}

// vectors reads the recorded vectors of the given file, which are not part of
// this repository; it skips the test when they are missing.
func vectors(t *testing.T, file string) []vector { return readVectors[vector](t, file) }

func readVectors[T any](t *testing.T, file string) []T {
	t.Helper()
	shared := os.Getenv("CALBRIDGE_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(shared, "vectors", file))
	if err != nil {
		t.Skipf("no recorded vectors (set CALBRIDGE_SHARED to their folder): %v", err)
	}
	var vs []T
	if err := json.Unmarshal(data, &vs); err != nil {
		t.Fatal(err)
	}
	return vs
}

func TestRecordedVectors(t *testing.T) {
	for file, fn := range map[string]func(vector) string{
		"wptexturize.json":    func(v vector) string { return typography.Texturize(v.Input, typography.LocaleFor(v.Locale)) },
		"wpautop.json":        func(v vector) string { return paragraph.Autop(v.Input) },
		"title.json":          func(v vector) string { return typography.Title(v.Input, typography.LocaleFor(v.Locale)) },
		"sanitize_title.json": func(v vector) string { return sanitize.Slug(v.Input, v.Locale) },
	} {
		t.Run(file, func(t *testing.T) {
			for _, v := range vectors(t, file) {
				if got := fn(v); got != v.Output {
					t.Errorf("%s (%s)\n in   %q\n got  %q\n want %q", v.Name, v.Locale, v.Input, got, v.Output)
				}
			}
		})
	}
}

func TestRecordedExcerpts(t *testing.T) {
	const siteURL = "https://cal.example.test"
	for _, v := range vectors(t, "excerpt.json") {
		var got string
		switch v.Fn {
		case "the_excerpt":
			got = content.Excerpt(v.Input, content.ExcerptOptions{
				Locale: typography.LocaleFor(v.Locale), UseSmilies: true, SiteURL: siteURL, TagFilter: recordedTags,
			})
		case "wp_trim_words":
			got = sanitize.TrimWords(v.Input, 55, "&hellip;")
		case "wp_strip_all_tags":
			got = sanitize.StripAllTags(v.Input)
		default:
			continue // put together elsewhere
		}
		if got != v.Output {
			t.Errorf("%s\n in   %q\n got  %q\n want %q", v.Name, v.Input, got, v.Output)
		}
	}
}

func TestRecordedKses(t *testing.T) {
	for _, v := range vectors(t, "kses.json") {
		got := ""
		switch v.Filter {
		case "content_save_pre":
			got = kses.Filter(v.Input, kses.PostHTML("https://cal.example.test/wp-content/uploads"))
		case "title_save_pre":
			got = kses.Title(php.Trim(v.Input))
		default:
			t.Fatalf("%s: unknown filter %q", v.Name, v.Filter)
		}
		if got != v.Output {
			t.Errorf("%s\n in   %q\n got  %q\n want %q", v.Name, v.Input, got, v.Output)
		}
	}
}

// TestRecordedRows checks slugs of titles and what is left of the texts of an
// author who may not write any HTML.
func TestRecordedRows(t *testing.T) {
	for _, v := range readVectors[rowVector](t, "write.json") {
		row, title := v.Output.Row, v.Input.Title+v.Input.Venue+v.Input.Organizer
		if row == nil {
			continue
		}
		slug := sanitize.Slug(row["post_title"], "en_US")
		if v.Input.Slug != "" {
			slug = sanitize.Slug(v.Input.Slug, "en_US")
		}
		if slug != row["post_name"] {
			t.Errorf("%s: slug %q, want %q", v.Name, slug, row["post_name"])
		}
		if v.Role != "author" {
			continue
		}
		for column, got := range map[string]string{
			"post_title": kses.Title(php.Trim(title)), "post_content": kses.Post(v.Input.Description), "post_excerpt": kses.Post(v.Input.Excerpt),
		} {
			if got != row[column] {
				t.Errorf("%s: %s %q, want %q", v.Name, column, got, row[column])
			}
		}
	}
}

// recordedTags does what is needed here of the step for image tags, which has
// tests of its own.
func recordedTags(s string) string {
	for _, rule := range [][2]string{
		{`<img src="https://cal.example.test/a.jpg" width=`, `<img loading="lazy" decoding="async" src="https://cal.example.test/a.jpg" width=`},
		{`<img src=`, `<img decoding="async" src=`},
		{`<iframe src=`, `<iframe loading="lazy" src=`},
	} {
		s = strings.ReplaceAll(s, rule[0], rule[1])
	}
	return s
}
