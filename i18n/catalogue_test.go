package i18n

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var placeholder = regexp.MustCompile(`\{[a-z]+\}|%s`)

// All catalogues have the texts of the English one, with the same placeholders.
func TestCataloguesAreComplete(t *testing.T) {
	all := Catalogues()
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, []string{"cs", "de", "en"}) {
		t.Fatalf("languages %v", got)
	}
	sections := func(c *Catalogue) map[string]map[string]string {
		return map[string]map[string]string{"errors": c.Errors, "arguments": c.Arguments, "documents": c.Documents, "words": c.Words}
	}
	english := sections(all["en"])
	for code, c := range all {
		if c.Language != code {
			t.Errorf("%s says that it is %s", code, c.Language)
		}
		for name, texts := range sections(c) {
			want := english[name]
			for key, text := range texts {
				original, ok := want[key]
				if !ok {
					t.Errorf("%s %s: %q is in no other catalogue", code, name, key)
				}
				if strings.TrimSpace(text) == "" && strings.TrimSpace(original) != "" {
					t.Errorf("%s %s: %q is empty", code, name, key)
				}
				if a, b := placeholder.FindAllString(text, -1), placeholder.FindAllString(original, -1); !slices.Equal(sorted(a), sorted(b)) {
					t.Errorf("%s %s: %q has the placeholders %v, not %v", code, name, key, a, b)
				}
				if strings.HasSuffix(original, ".") != strings.HasSuffix(text, ".") {
					t.Errorf("%s %s: %q ends unlike the English text", code, name, key)
				}
			}
			for key := range want {
				if _, ok := texts[key]; !ok {
					t.Errorf("%s %s: %q is missing", code, name, key)
				}
			}
		}
		for _, key := range []string{"venue_base", "organizer_base", "category_base", "calendar_description", "content_protected"} {
			if c.Words[key] != all["en"].Words[key] {
				t.Errorf("%s: the word %s must not be translated", code, key)
			}
		}
	}
}

func sorted(s []string) []string { slices.Sort(s); return s }

func TestWording(t *testing.T) {
	for code, want := range map[string]string{"cs": "cs", "cs_CZ": "cs", "pt-br": "pt", "EN": "en", "": ""} {
		if got := Wording(code); got != want {
			t.Errorf("Wording(%q) = %q, want %q", code, got, want)
		}
	}
}
