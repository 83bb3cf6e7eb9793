package content

import (
	"strings"
	"testing"
	"time"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/media"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
)

func FuzzContent(f *testing.F) {
	for _, s := range texttest.ContentSeeds {
		f.Add(s, true)
		f.Add(s, false)
	}
	res := sitetest.Resources()
	modern := sitetest.Site("https://town.example")
	modern.Traits = sitetest.Traits("7.1")
	classic := sitetest.Site("http://town.example")
	classic.Theme = wptext.ClassicTheme(false)
	classic.Theme.ContentWidth = 600
	classic.GalleryStyle = "<style>{number}</style>"
	classic.Traits = sitetest.Traits("6.8")
	f.Fuzz(func(t *testing.T, s string, old bool) {
		site := modern
		if old {
			site = classic
		}
		req := &wptext.RequestState{}
		html := Render(s, site, res, req)
		if len(html) > 1<<16+400*len(s) {
			t.Errorf("%d bytes became %d", len(s), len(html))
		}
		media.CompleteTags(s, site, res, req)
		LDDescription("", s, usualMore, site, res, req)
		refs := &Refs{}
		refs.Collect(s, site)
		refs.Nested(res, site)
	})
}

// TestHostileContent feeds the kinds of text that make careless matching slow:
// twice the length may not take much more than twice the time.
func TestHostileContent(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, of one goroutine")
	}
	const size = 1 << 20
	repeated := func(s string) string { return strings.Repeat(s, size/len(s)) }
	site, res := sitetest.Site("https://town.example"), sitetest.Resources()
	site.Traits = sitetest.Traits("7.1")
	for _, s := range []string{
		repeated(`<!-- wp:group {"style":{"css":"x","@mobile":{"color":{"text":"y"}}}} --><div class="wp-note"><mark><img>`),
		repeated("<!-- wp:accordion-item --><i><button></i>"), repeated(`<!-- wp:a {"metadata":{"blockVisibility":{"viewport":{"mobile":false}}}} --><img><img>`),
		repeated("["), repeated("[gallery"), repeated("[caption]"), repeated("[[caption]"), repeated("[caption "),
		repeated("[audio src=\"a.mp3\"]"), repeated("[caption][wp_caption]") + repeated("[/caption]"),
		repeated(`[embed a="`), repeated("[gallery a='b"), repeated("[gallery]"),
		repeated("<!-- wp:a -->"), repeated("<!-- wp:a {"), repeated(`<!-- wp:group {"a":1} --><div class="x">`),
		repeated(`<!-- wp:paragraph {"style":{"elements":{"link":{"color":{"text":"#fff"}}}}} --><p>`),
		repeated("<!-- wp:a {\"b\":1}  "), repeated("<!--"), repeated("<!-- wp:a /-->"), repeated("<!-- wp:list --><ul>"),
		"<!-- wp:paragraph " + repeated(`{"a":`), "<!-- wp:a {" + repeated("} "), "<!-- wp:a {\"x\":1}" + repeated(" "),
		repeated("<img "), repeated("<img wp-image-7 src=\""), repeated("<iframe a"), repeated("<a "), repeated("<img  src=\"\" >"),
		"[caption width=3]" + repeated("<a ") + ">" + repeated(" ") + "[/caption]",
		"[caption width=3]" + repeated("<a b><img ") + "[/caption]", "[caption width=3]" + repeated("<img ") + "[/caption]",
		repeated("http://a\n"), repeated("<p>http://a"), repeated("<p "), repeated("<p>"), repeated("\n "), repeated("<a\n"),
		`<a b="` + repeated("[caption]") + `">`, repeated(`<a b="[gallery]">`), "<a " + repeated("b=[gallery] ") + ">",
		repeated("wp-image-"), repeated("wp-image-7"), "<img " + repeated("wp-image-") + ">",
	} {
		start := time.Now()
		Render(s, site, res, &wptext.RequestState{})
		own := time.Since(start)
		media.CompleteTags(s, site, res, &wptext.RequestState{})
		TECExcerpt("", s, usualMore, site, res, &wptext.RequestState{})
		refs := &Refs{}
		refs.Collect(s, site)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%.40q…: %v, the content alone %v", s, took, own)
		}
	}
}
