package content

import (
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
	"calbridge/rest/wptext/typography"
)

func TestExcerpt(t *testing.T) {
	site, res := sitetest.Site("https://a.example"), sitetest.Resources()
	site.FixInsecureHome = true
	excerpt := func(s string) string { return Excerpt(s, site, res, &wptext.RequestState{}) }
	texttest.CheckPairs(t, excerpt,
		"", "",
		"Wordpress :)\n& <img src=\"x\"> http://a.example/", "<p>Wordpress 🙂<br />\n&#038; <img decoding=\"async\" src=\"x\"> https://a.example/</p>",
		"[gallery]", "[gallery]", "<!-- wp:x --> \"q\"", "<p><!-- wp:x --> &#8220;q&#8221;</p>")
	site.UseSmilies = false
	texttest.CheckPairs(t, excerpt, ":)", "<p>:)</p>")
}

func TestSecureHome(t *testing.T) {
	site := sitetest.Site("https://a.example/x")
	secure := func(s string) string { return secureHome(s, site) }
	texttest.CheckPairs(t, secure, "http://a.example/x", "http://a.example/x")
	site.FixInsecureHome = true
	texttest.CheckPairs(t, secure,
		`http://a.example/x/y http:\/\/a.example\/x http://b.example/`, `https://a.example/x/y https:\/\/a.example\/x http://b.example/`)
	site.Home = "http://a.example"
	texttest.CheckPairs(t, secure, "http://a.example", "http://a.example")
}

// TestExcerptsOfLocales: the tail of excerpts, and what is counted.
func TestExcerptsOfLocales(t *testing.T) {
	site, res := sitetest.Site("https://town.example"), sitetest.Resources()
	site.Locale = typography.LocaleOf("ja", map[string]string{"[&hellip;]": "(続)", "word count type": "characters_excluding_spaces"})
	got := TECExcerpt("", strings.Repeat("祭り ", 20), " "+site.Locale.ExcerptMore, site, res, &wptext.RequestState{})
	if want := "<p>" + strings.Repeat("祭り ", 10) + " (続)</p>\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
