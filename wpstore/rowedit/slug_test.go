package rowedit

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func TestCutSlug(t *testing.T) {
	for _, tt := range []struct {
		slug string
		most int
		want string
	}{
		{"abc", 5, "abc"},
		{"abc-def", 4, "abc"},
		{"%c5%be%c5%be", 8, "%c5%be"},
		{"%c5%be%c5%be", 12, "%c5%be%c5%be"},
		{"%zz%zz%zz", 4, "%zz%"},
		{"a-%f0%9f%8e%89", 6, "a"},
	} {
		if got := CutSlug(tt.slug, tt.most); got != tt.want {
			t.Errorf("CutSlug(%q, %d) = %q, want %q", tt.slug, tt.most, got, tt.want)
		}
	}
}

func FuzzCutSlug(f *testing.F) {
	f.Add("a-%f0%9f%8e%89", 6)
	f.Add("%", 0)
	f.Fuzz(func(t *testing.T, slug string, most int) {
		if most < 0 || most > 1000 {
			return
		}
		if got := CutSlug(slug, most); len(got) > most && len(slug) > most {
			t.Errorf("CutSlug(%q, %d) = %q is too long", slug, most, got)
		}
	})
}

func TestNumberedSlug(t *testing.T) {
	long := strings.Repeat("x", SlugSize)
	for _, c := range []struct {
		slug  string
		taken []string
		want  string
	}{
		{"jazz", nil, "jazz-2"},
		{"jazz", []string{"jazz-2", "jazz-3"}, "jazz-4"},
		{long, []string{long[:SlugSize-2] + "-2"}, long[:SlugSize-2] + "-3"},
	} {
		got, err := NumberedSlug(t.Context(), c.slug, func(_ context.Context, candidate string) (bool, error) {
			return slices.Contains(c.taken, candidate), nil
		})
		if got != c.want || err != nil {
			t.Errorf("%s: %s %v, want %s", c.slug, got, err, c.want)
		}
	}
}

func TestCutText(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"Žižkov", 3, "Žiž"}, {"Žižkov", 6, "Žižkov"}, {"", 0, ""}, {"a\xffb", 2, "a\xff"}} {
		if got := CutText(c.text, c.most); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

func TestSameName(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{{"Jazz", "jAZZ", true}, {"Žlutá", "ŽLUTá", true}, {"Žlutá", "žlutá", false}, {"Rada", "Ráda", false}} {
		if got := SameName(c.a, c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
