package wptext_test

import (
	"strings"
	"testing"
	"time"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/embed"
	"calbridge/rest/wptext/images"
	"calbridge/rest/wptext/texttest"
	"calbridge/wpstore/php"
)

// testResources has one photo (7) with the usual sizes, a small picture (8)
// without, a stored video and a reusable block that contains itself.
func testResources() *wptext.Resources {
	size := func(file string, width, height int64) *php.Array {
		a := &php.Array{}
		a.SetString("file", file)
		a.SetString("width", width)
		a.SetString("height", height)
		a.SetString("mime-type", "image/jpeg")
		return a
	}
	sizes := &php.Array{}
	sizes.SetString("thumbnail", size("hall-150x150.jpg", 150, 150))
	sizes.SetString("medium", size("hall-300x225.jpg", 300, 225))
	sizes.SetString("large", size("hall-1024x768.jpg", 1024, 768))
	photo := &php.Array{}
	photo.SetString("width", int64(1600))
	photo.SetString("height", int64(1200))
	photo.SetString("file", "2027/05/hall.jpg")
	photo.SetString("sizes", sizes)
	photo.SetString("image_meta", &php.Array{})
	small := &php.Array{}
	small.SetString("width", int64(40))
	small.SetString("height", int64(60))
	small.SetString("file", "sign.png")
	hall := &wptext.Attachment{
		ID: 7, Title: "Hall", Caption: `The "hall"`, Name: "hall", Status: "inherit", MIMEType: "image/jpeg",
		File: "2027/05/hall.jpg", Metadata: photo, Alt: " A <b>hall</b> ",
	}
	sign := &wptext.Attachment{
		ID: 8, Title: "Sign", Name: "sign", Status: "inherit", MIMEType: "image/png", File: "sign.png",
		Metadata: small, Parent: 3, ParentURL: "https://town.example/event/fair/", MenuOrder: 2,
	}
	return &wptext.Resources{
		Attachments: map[int64]*wptext.Attachment{7: hall, 8: sign},
		Children:    map[int64][]*wptext.Attachment{0: {hall}, 3: {sign}},
		Embeds:      map[string]string{embed.Keys("https://clips.example/1", 0)[0]: `<iframe src="https://clips.example/e/1" width="4" height="3"></iframe>`},
		Blocks: map[int64]string{
			5: "<!-- wp:paragraph --><p>Again</p><!-- /wp:paragraph --><!-- wp:block {\"ref\":5} /-->",
		},
		Organizers: map[int64]*wptext.Organizer{9: {Title: "The \"Club\""}},
	}
}

func FuzzContent(f *testing.F) {
	for _, s := range texttest.ContentSeeds {
		f.Add(s, true)
		f.Add(s, false)
	}
	res := testResources()
	modern := defaultSite("https://town.example")
	classic := defaultSite("http://town.example")
	classic.Theme = wptext.ClassicTheme(false)
	classic.Theme.ContentWidth = 600
	classic.GalleryStyle = "<style>{number}</style>"
	classic.WPVersion = 608
	f.Fuzz(func(t *testing.T, s string, old bool) {
		site := modern
		if old {
			site = classic
		}
		req := &wptext.RequestState{}
		html := content.Render(s, site, res, req)
		if len(html) > 1<<16+400*len(s) {
			t.Errorf("%d bytes became %d", len(s), len(html))
		}
		images.CompleteTags(s, site, res, req)
		content.LDDescription("", s, site, res, req)
		refs := &content.Refs{}
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
	site, res := defaultSite("https://town.example"), testResources()
	for _, s := range []string{
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
		content.Render(s, site, res, &wptext.RequestState{})
		own := time.Since(start)
		images.CompleteTags(s, site, res, &wptext.RequestState{})
		content.TECExcerpt("", s, site, res, &wptext.RequestState{})
		refs := &content.Refs{}
		refs.Collect(s, site)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%.40q…: %v, the content alone %v", s, took, own)
		}
	}
}

// FuzzImageTags checks that completed tags need no further completion, apart from
// their text.
func FuzzImageTags(f *testing.F) {
	for _, s := range texttest.ContentSeeds {
		f.Add(s)
	}
	site, res := defaultSite("https://town.example"), testResources()
	f.Fuzz(func(t *testing.T, s string) {
		req := &wptext.RequestState{}
		once := images.CompleteTags(s, site, res, req)
		if strings.Count(once, "<img") < strings.Count(s, "<img") {
			t.Errorf("%q lost an image: %q", s, once)
		}
		if strings.Contains(s, "loading") || strings.Contains(s, "sizes") || strings.Contains(s, "fetchpriority") {
			return
		}
		if twice := images.CompleteTags(once, site, res, req); twice != once && strings.Count(s, "<") == 1 {
			t.Errorf("%q\n once  %q\n twice %q", s, once, twice)
		}
	})
}
