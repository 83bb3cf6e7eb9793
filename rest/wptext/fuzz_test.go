package wptext

import (
	"strings"
	"testing"
)

func addSeeds(f *testing.F, seeds ...string) {
	for _, s := range append(seeds,
		"", "0", "plain", "<p>\"a\" -- 'b'</p>\n\nc & d", "\xff\xc2", "<!-- x --> [gallery ids='1'] <", "😀 é %c3") {
		f.Add(s)
	}
}

func FuzzTexturize(f *testing.F) {
	addSeeds(f, `6'2" 'til '99" 3x4x5`, "<pre>''</pre>[[audio]]<code", "[caption]\"x\"[/caption]")
	f.Fuzz(func(t *testing.T, s string) {
		for _, loc := range []*Locale{nil, LocaleFor("cs_CZ")} {
			out := Texturize(s, loc)
			// Outside of untouched elements no bare ampersand is left.
			if !strings.ContainsAny(s, "<[") && encodeAmpersands(out) != out {
				t.Errorf("bare ampersand in %q", out)
			}
		}
		if !texturizable(s) && Texturize(s, nil) != s {
			t.Errorf("changed %q", s)
		}
	})
}

func FuzzAutop(f *testing.F) {
	addSeeds(f, "<pre>a\n\nb</pre></pre>", "<li>x\n</li>\n<script>\n\n</script>", "<br><br/>a<hr>\r\n<option> <blockquote>")
	f.Fuzz(func(t *testing.T, s string) {
		if out := Autop(s); trimPHP(s) == "" && out != "" {
			t.Errorf("Autop(%q) = %q", s, out)
		}
		ShortcodeUnautop(s)
	})
}

func FuzzKses(f *testing.F) {
	addSeeds(f, `<a href="java&#115;cript:x" style='color:red;background:url(x)' download>`, "<!-- > <!-- --><b/ x=y>",
		`<!-- wp:a {"b":"<i>"} --><!-- /wp:a -->`, "<scr<script>ipt>", `<object data="u/a.pdf" type=application/pdf>`,
		"</1><!doctype>", "&#x41;&#0065;&bogus;", `<p style="width:calc((1px))">`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, allowed := range []AllowedHTML{PostHTML("u"), titleHTML, excerptHTML} {
			out := Kses(s, allowed)
			for i := strings.IndexByte(out, '<'); i >= 0; i = indexFrom(out, '<', i+1) {
				name := strings.TrimPrefix(out[i+1:], "/")
				end := 0
				for end < len(name) && (isLetter(name[end]) || isDigit(name[end]) || name[end] == '-') {
					end++
				}
				if _, ok := allowed.elements[lowerASCII(name[:end])]; end > 0 && isLetter(name[0]) && !ok {
					t.Errorf("Kses(%q) = %q keeps <%s>", s, out, name[:end])
				}
			}
			// A comment may settle only in a second run.
			if again := Kses(out, allowed); again != out && !strings.Contains(s, "<!") && !strings.Contains(s, "</") {
				t.Errorf("Kses(%q) = %q, again %q", s, out, again)
			}
		}
	})
}

func FuzzSanitizeTitle(f *testing.F) {
	addSeeds(f, "Größe & Straße", "---ab---", "%zz%41", "&x;&\n;", "l·l Đ Å", "a<b>c")
	f.Fuzz(func(t *testing.T, s string) {
		for _, slug := range []string{SanitizeTitle(s, "de_DE"), SanitizeTitleQuery(s)} {
			if len(slug) > slugLimit && len(s) <= slugLimit/3 {
				t.Errorf("slug of %q is longer than the column: %q", s, slug)
			}
			for i := 0; i < len(slug); i++ {
				if c := slug[i]; !isDigit(c) && (c < 'a' || c > 'z') && c != '-' && c != '_' && c != '%' {
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
	addSeeds(f, "a < b <c", "<a \"'>x", "<!-- ' --> x", "<?php echo '?>'; ?>x", "<?xml -> ?>", "<!doctype 'x>", "<<a>b>c", "\x00")
	f.Fuzz(func(t *testing.T, s string) {
		if out := StripTags(s); len(out) > len(s) {
			t.Errorf("StripTags(%q) = %q", s, out)
		}
		if out := SanitizeTextField(s); SanitizeTextField(out) != out && !strings.ContainsAny(out, "<>&") {
			t.Errorf("SanitizeTextField(%q) = %q, again %q", s, out, SanitizeTextField(out))
		}
		StripAllTags(s)
		TrimWords(s, 3, "…")
	})
}

func FuzzEscape(f *testing.F) {
	addSeeds(f, "&#39 &#x027; \\n \\\\0", "javascript:x", "http://[::1]/[x]?a=[b]&c='d'", "mailto:a%0db", ";//x", "%0%0dd", "a@b.c")
	f.Fuzz(func(t *testing.T, s string) {
		for name, fn := range map[string]func(string) string{"EscHTML": EscHTML, "NormalizeEntities": NormalizeEntities} {
			if out := fn(s); fn(out) != out {
				t.Errorf("%s(%q) = %q, again %q", name, s, out, fn(out))
			}
		}
		if out := EscHTML(s); strings.ContainsAny(out, `<>"'`) {
			t.Errorf("EscHTML(%q) = %q", s, out)
		}
		EscJS(s)
		EscURL(s, true)
		EscURL(s, false)
		if m := SanitizeEmail(s); m != "" && !IsEmail(m) && len(m) >= 6 {
			t.Logf("SanitizeEmail(%q) = %q is not stable", s, m)
		}
	})
}
