package rowedit

import "testing"

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
