package i18n

import "testing"

func site(plugin Plugin) *Languages {
	return &Languages{Plugin: plugin, Default: "cs", All: []Language{{Code: "cs"}, {Code: "en"}, {Code: "de"}}}
}

func TestLanguageOfNewPost(t *testing.T) {
	for _, c := range []struct {
		name   string
		plugin Plugin
		choice Choice
		lang   string
		absent bool
		want   string
	}{
		{"no plugin", NoPlugin, Choice{}, "en", false, ""},
		{"root", WPML, Choice{Root: "en"}, "", true, "en"},
		{"advertised parameter does not count", WPML, Choice{Root: "cs", Wanted: "en"}, "", true, "cs"},
		{"body lang does not count", WPML, Choice{Root: "cs"}, "de", false, "cs"},
		{"mended: the parameter is the root", WPML, Choice{Root: "cs", Wanted: "en"}.Mended(), "", true, "en"},
		{"absent", Polylang, Choice{}, "", true, "cs"},
		{"empty", Polylang, Choice{}, "", false, "cs"},
		{"code", Polylang, Choice{}, "de", false, "de"},
		{"letter case", Polylang, Choice{}, "EN", false, "en"},
		{"unknown", Polylang, Choice{}, "xx", false, "cs"},
		{"a root chooses", Polylang, Choice{Root: "de"}, "en", false, "de"},
	} {
		if got := site(c.plugin).NewPost(c.choice, c.lang, c.absent); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLanguageOfNewTerm(t *testing.T) {
	for _, c := range []struct {
		name   string
		plugin Plugin
		choice Choice
		lang   string
		absent bool
		parent string
		want   string
	}{
		{"root", WPML, Choice{Root: "en"}, "", true, "", "en"},
		{"advertised parameter", WPML, Choice{Root: "cs", Wanted: "en"}, "", true, "", "en"},
		{"the parent does not count", WPML, Choice{Root: "cs"}, "", true, "de", "cs"},
		{"parent", Polylang, Choice{}, "", true, "de", "de"},
		{"code before parent", Polylang, Choice{}, "en", false, "de", "en"},
		{"unknown before parent", Polylang, Choice{}, "xx", false, "de", "cs"},
		{"nothing", Polylang, Choice{}, "", true, "", "cs"},
	} {
		if got := site(c.plugin).NewTerm(c.choice, c.lang, c.absent, c.parent); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLanguageOfUnlinkedEvents(t *testing.T) {
	if got := site(WPML).Unlinked(Choice{Root: "en", Wanted: "de"}); got != "en" {
		t.Errorf("WPML: %q", got)
	}
	if got := site(Polylang).Unlinked(Choice{Root: "en"}); got != "" {
		t.Errorf("Polylang: %q", got)
	}
}
