package sanitize

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/texttest"
)

func FuzzSanitizeTitle(f *testing.F) {
	texttest.AddSeeds(f, "Größe & Straße", "---ab---", "%zz%41", "&x;&\n;", "l·l Đ Å", "a<b>c")
	f.Fuzz(func(t *testing.T, s string) {
		for _, slug := range []string{Slug(s, "de_DE"), SlugQuery(s)} {
			if len(slug) > slugLimit && len(s) <= slugLimit/3 {
				t.Errorf("slug of %q is longer than the column: %q", s, slug)
			}
			for i := 0; i < len(slug); i++ {
				if c := slug[i]; !markup.IsDigit(c) && (c < 'a' || c > 'z') && c != '-' && c != '_' && c != '%' {
					t.Errorf("slug of %q holds %q", s, c)
				}
			}
			if strings.Contains(slug, "--") || strings.HasPrefix(slug, "-") || strings.HasSuffix(slug, "-") {
				t.Errorf("slug of %q is %q", s, slug)
			}
		}
	})
}

func FuzzStripTags(f *testing.F) {
	texttest.AddSeeds(f, "a < b <c", "<a \"'>x", "<!-- ' --> x", "<?php echo '?>'; ?>x", "<?xml -> ?>", "<!doctype 'x>", "<<a>b>c", "\x00")
	f.Fuzz(func(t *testing.T, s string) {
		if out := StripTags(s); len(out) > len(s) {
			t.Errorf("StripTags(%q) = %q", s, out)
		}
		if out := TextField(s); TextField(out) != out && !strings.ContainsAny(out, "<>&") {
			t.Errorf("SanitizeTextField(%q) = %q, again %q", s, out, TextField(out))
		}
		StripAllTags(s)
		TrimWords(s, 3, "…")
		TrimCharacters(s, 3, "…")
	})
}

func FuzzEmail(f *testing.F) {
	texttest.AddSeeds(f, "javascript:x", "a@b.c", "me@mail..example", "x@-a-.b_c.")
	f.Fuzz(func(t *testing.T, s string) {
		if m := Email(s); m != "" && !IsEmail(m) && len(m) >= 6 {
			t.Logf("SanitizeEmail(%q) = %q is not stable", s, m)
		}
	})
}
