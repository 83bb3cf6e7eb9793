package wptext_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/sanitize"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/typography"
)

var site = func() *wptext.Site {
	s := sitetest.Site("https://site.example")
	s.FixInsecureHome = true
	return s
}()

var newest = func() *wptext.Site {
	s := sitetest.Site("https://site.example")
	s.Traits = sitetest.Traits("7.1")
	return s
}()

// textFunctions are all functions from text to text, for tests that hold for
// every one of them.
var textFunctions = map[string]func(s string) string{
	"Texturize":          func(s string) string { return typography.Texturize(s, nil) },
	"Autop":              paragraph.Autop,
	"ConvertChars":       escape.ConvertChars,
	"Smilies in lines":   func(s string) string { return typography.Smilies(s, "https://site.example", true) },
	"Smilies":            func(s string) string { return typography.Smilies(s, "https://site.example", false) },
	"CapitalPContent":    func(s string) string { return typography.CapitalPContent(s, nil) },
	"InvalidEntities":    escape.ConvertInvalidEntities,
	"ShortcodeUnautop":   paragraph.ShortcodeUnautop,
	"Title":              func(s string) string { return typography.Title(s, typography.LocaleFor("cs_CZ")) },
	"Excerpt":            func(s string) string { return content.Excerpt(s, site, &wptext.Resources{}, &wptext.RequestState{}) },
	"EscHTML":            escape.HTML,
	"EscJS":              escape.Rules{}.JS,
	"EscURL":             func(s string) string { return escape.Rules{}.URL(s) },
	"NormalizeEntities":  escape.Rules{NumbersLast: true}.NormalizeEntities,
	"StripTags":          sanitize.StripTags,
	"StripAllTags":       sanitize.StripAllTags,
	"TrimWords":          func(s string) string { return sanitize.TrimWords(s, 30, "…") },
	"SanitizeTextField":  sanitize.TextField,
	"SanitizeTitle":      func(s string) string { return sanitize.Slug(s, "de_DE") },
	"SanitizeTitleQuery": sanitize.SlugQuery,
	"SanitizeEmail":      sanitize.Email,
	"Blocks since 7.1": func(s string) string {
		return content.Render("<!-- wp:p -->wp-note "+s, newest, &wptext.Resources{}, &wptext.RequestState{})
	},
	"KsesPost":        func(s string) string { return kses.Post(s, nil) },
	"KsesPost before": func(s string) string { return kses.Saving{Traits: sitetest.Traits("6.5")}.Content(s) },
	"KsesTitle":       func(s string) string { return kses.Title(s, nil) },
}

// TestHostileInput feeds much of what would drive a matcher that goes
// back and forth into quadratic time.
func TestHostileInput(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, of one goroutine")
	}
	const size = 1 << 17
	units := []string{
		"<", ">", `"`, "'", "[", "]", "&", "-", "%", ";", ":", "\n", " ", "0", "{", "(",
		"<!--", "<!-- >", "<!-- > -->", "<p>", "<p", "<p><", "<p><li", "<p><div<", "<br", "<br >", "<br /> ", "<br>\n",
		"</pre>", "<pre", "<pre></pre>", "<pre 1></pre>", "<script", "<script>", "<style\n", "<svg>\n",
		"[gallery ", "[gallery]", "<p>[gallery ", "<p>[gallery]", "<p>[caption] ", "[/caption]", "[[gallery <a ",
		"<option", "<object", "</object><object ", "<source <audio ", "[video ", "<p><blockquote", "</blockquote></p>",
		"1,", "1.x", "1x1", "'9", `5"`, `"5`, "'5'", "xn--", "&#1", "&#x1", "&#0", "&a", "&amp;", "&lt;'", "&nbsp;",
		"%0", "%0%0d", "%4%41", "a=", `a="`, `a='b' `, "<a ", `<a href="`, "<mark ", "<mark>", "</mark", "</mark>", "<a target=x ", "<!", "</1", "</p>", "--", "-->", "<?", "<?xml", "<!doctype",
		"<!-- wp:a {", "<!-- wp:a -->", "<!-- /wp:a -->", "<!-- wp:a {\"b\":\"<!-- > \"} -->", "} ", "url(", "calc(", "java:", "&#58;",
		"\u00a0", "\xff", "é", "Wordpress", ":)", " :) ", "<option>  ",
	}
	for _, unit := range units {
		quarters := hostileInputs(unit, size/4)
		for i, in := range hostileInputs(unit, size) {
			for name, fn := range textFunctions {
				start := time.Now()
				fn(in)
				// A slow machine is as slow with a quarter of it, four times as fast.
				if took := time.Since(start); took > 5*time.Second && fastest(fn, in) > 8*fastest(fn, quarters[i]) {
					t.Errorf("%s took %v for many %q", name, took, unit)
				} else if took > 200*time.Millisecond {
					t.Logf("%s took %v for many %q", name, took, unit)
				}
			}
		}
	}
}

// hostileInputs returns texts of about a size, mostly of the same unit.
func hostileInputs(unit string, size int) []string {
	half := strings.Repeat(unit, size/len(unit)/2)
	return []string{
		half + half,
		half + strings.Repeat(" ", size/2) + ">]-->\"';",
		"<p>[gallery]<script><pre>'\"5'<a style=\"color:" + half + "\"></pre>[/gallery]</p>\n-->;",
	}
}

// fastest returns how long fn takes when the machine does nothing else.
func fastest(fn func(string) string, in string) time.Duration {
	best := time.Duration(math.MaxInt64)
	for range 3 {
		start := time.Now()
		fn(in)
		best = min(best, time.Since(start))
	}
	return best
}

func TestInvalidUTF8NeverPanics(t *testing.T) {
	for _, in := range []string{"\xff", "a\xc2", "<\xff>", "'\xa0'", "&\xff;", "[gallery \xff]", "\xe2\x80", "\x00<\x00a>\x00"} {
		for _, fn := range textFunctions {
			fn(in)
		}
	}
}
