package wptext

import (
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/php"
)

// testResources has one photo (7) with the usual sizes, a small picture (8)
// without, a stored video and a reusable block that contains itself.
func testResources() *Resources {
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
	hall := &Attachment{
		ID: 7, Title: "Hall", Caption: `The "hall"`, Name: "hall", Status: "inherit", MIMEType: "image/jpeg",
		File: "2027/05/hall.jpg", Metadata: photo, Alt: " A <b>hall</b> ",
	}
	sign := &Attachment{
		ID: 8, Title: "Sign", Name: "sign", Status: "inherit", MIMEType: "image/png", File: "sign.png",
		Metadata: small, Parent: 3, ParentURL: "https://town.example/event/fair/", MenuOrder: 2,
	}
	return &Resources{
		Attachments: map[int64]*Attachment{7: hall, 8: sign},
		Children:    map[int64][]*Attachment{0: {hall}, 3: {sign}},
		Embeds:      map[string]string{embedKeys("https://clips.example/1", nil, 0)[0]: `<iframe src="https://clips.example/e/1" width="4" height="3"></iframe>`},
		Blocks: map[int64]string{
			5: "<!-- wp:paragraph --><p>Again</p><!-- /wp:paragraph --><!-- wp:block {\"ref\":5} /-->",
		},
		Organizers: map[int64]*Organizer{9: {Title: "The \"Club\""}},
	}
}

var contentSeeds = []string{
	"", "0", "Text", "<p>https://clips.example/1</p>", "[embed width=3]https://clips.example/1[/embed]",
	"https://www.youtube.com/embed/abc", "https://town.example/a.mp3\nhttps://town.example/b.mp4",
	`[caption id="a_1" width="300"]<a href="/"><img src="x.jpg"></a> Text[/caption]`,
	`[caption width="1" caption="<b>x</b>"][gallery][/caption]`, `[gallery ids="7,8,7" columns=0 link=file size=medium]`,
	`[[gallery]] [gallery id=3 orderby="title ID" order=DESC itemtag=script]`, `<a title="[caption]x[/caption]" b=[gallery]>[x]</a>`,
	`[audio mp3="a.mp3" loop="1"][video src="v.mkv"][video mp4="v.mp4" width=99999999999999999999]`,
	`<img class="wp-image-7" src="https://town.example/wp-content/uploads/2027/05/hall-300x225.jpg?x" style="width: 100px;"/>`,
	`<img loading="eager" width="900" height="900" src="a">`, `<iframe src="a" width="1" height="2">`,
	`<!-- wp:columns --><div class="wp-block-columns"><!-- wp:column --><div>x</div><!-- /wp:column --></div><!-- /wp:columns -->`,
	`<!-- wp:group {"layout":{"type":"flex","justifyContent":"left"},"style":{"spacing":{"blockGap":"0"}}} --><div>x</div>`,
	`<!-- wp:paragraph {"style":{"elements":{"link":{"color":{"text":"#fff"}}}}} --><p class='a'>x</p><!-- /wp:paragraph -->`,
	`<!-- wp:image {"id":7} --><figure class="wp-block-image alignleft"><img src="x"/><figcaption></figcaption></figure><!-- /wp:image -->`,
	`<!-- wp:gallery --><figure><!-- wp:image {"id":7} --><img src="x"/><!-- /wp:image --></figure><!-- /wp:gallery -->`,
	`<!-- wp:block {"ref":5} /--><!-- wp:tribe/event-organizer {"organizer":9} /--><!-- wp:latest-posts /-->`,
	`<!-- wp:button {"className":"is-style-outline"} --><div><a>x</a></div><!-- /wp:button --><!-- wp:social-link {"url":"a","service":"x"} /-->`,
	"<!-- /wp:x --> <!-- wp:a --> <!-- wp:b {\"a\":\xff} --> <!-- wp:c {\"a\":1}} /-->",
}

func FuzzContent(f *testing.F) {
	for _, s := range contentSeeds {
		f.Add(s, true)
		f.Add(s, false)
	}
	res := testResources()
	modern := DefaultSite("https://town.example")
	classic := DefaultSite("http://town.example")
	classic.Theme = ClassicTheme(false)
	classic.Theme.ContentWidth = 600
	classic.GalleryStyle = "<style>{number}</style>"
	classic.WPVersion = 608
	f.Fuzz(func(t *testing.T, s string, old bool) {
		site := modern
		if old {
			site = classic
		}
		req := &RequestState{}
		html := Content(s, site, res, req)
		if len(html) > 1<<16+400*len(s) {
			t.Errorf("%d bytes became %d", len(s), len(html))
		}
		ImageTags(s, site, res, req)
		LDDescription("", s, site, res, req)
		refs := &Refs{}
		refs.Collect(s, site)
		refs.Nested(res, site)
	})
}

// FuzzBlocks checks that parsing loses no text: what is left are the comments.
func FuzzBlocks(f *testing.F) {
	for _, s := range contentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var text strings.Builder
		var collect func(list []*block, depth int)
		collect = func(list []*block, depth int) {
			if depth > maxBlockDepth+1 {
				t.Fatal("nested too deep")
			}
			for _, b := range list {
				for _, p := range b.parts {
					text.WriteString(p.text)
					if p.inner != nil {
						collect([]*block{p.inner}, depth+1)
					}
				}
			}
		}
		collect(parseBlocks(s), 0)
		scan := delimiterScanner{s: s}
		var want strings.Builder
		pos, depth := 0, 0
		for {
			d, ok := scan.next(pos)
			if !ok || d.closer && !d.void && depth == 0 {
				break
			}
			want.WriteString(s[pos:d.start])
			pos = d.end
			switch {
			case d.void:
			case d.closer:
				depth--
			default:
				depth++
			}
		}
		want.WriteString(s[pos:])
		if text.String() != want.String() {
			t.Errorf("%q\n got  %q\n want %q", s, text.String(), want.String())
		}
	})
}

func FuzzShortcodes(f *testing.F) {
	for _, s := range contentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		scan := newShortcodeScanner(s, allShortcodes)
		for pos := 0; ; {
			found, ok := scan.next(pos)
			if !ok {
				break
			}
			if found.start < pos || found.end <= found.start || found.end > len(s) || s[found.start] != '[' {
				t.Fatalf("%q: shortcode at %d to %d", s, found.start, found.end)
			}
			for key := range shortcodeAttrs(found.attrs).All() {
				if name := key.String(); strings.ContainsAny(name, " \n=\"'") {
					t.Fatalf("%q: attribute %q", s, name)
				}
			}
			pos = found.end
		}
		if image, rest, ok := splitCaption(s); ok && !strings.HasSuffix(s, image+rest) {
			t.Errorf("%q: image %q, text %q", s, image, rest)
		}
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
	site, res := DefaultSite("https://town.example"), testResources()
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
		Content(s, site, res, &RequestState{})
		own := time.Since(start)
		ImageTags(s, site, res, &RequestState{})
		TECExcerpt("", s, site, res, &RequestState{})
		refs := &Refs{}
		refs.Collect(s, site)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%.40q…: %v, the content alone %v", s, took, own)
		}
	}
}

// FuzzImageTags checks that completed tags need no further completion, apart from
// their text.
func FuzzImageTags(f *testing.F) {
	for _, s := range contentSeeds {
		f.Add(s)
	}
	site, res := DefaultSite("https://town.example"), testResources()
	f.Fuzz(func(t *testing.T, s string) {
		req := &RequestState{}
		once := ImageTags(s, site, res, req)
		if strings.Count(once, "<img") < strings.Count(s, "<img") {
			t.Errorf("%q lost an image: %q", s, once)
		}
		if strings.Contains(s, "loading") || strings.Contains(s, "sizes") || strings.Contains(s, "fetchpriority") {
			return
		}
		if twice := ImageTags(once, site, res, req); twice != once && strings.Count(s, "<") == 1 {
			t.Errorf("%q\n once  %q\n twice %q", s, once, twice)
		}
	})
}
