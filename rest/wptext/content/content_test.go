package content

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
)

func TestContent(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"classic text", "Fair on \"Sunday\"\n\nCome!", "<p>Fair on &#8220;Sunday&#8221;</p>\n<p>Come!</p>"},
		{"blocks bring their paragraphs", "<!-- wp:paragraph -->\n<p>One</p>\n<!-- /wp:paragraph -->\nloose",
			"<p class=\"wp-block-paragraph\">One</p>\n\nloose"},
		{"stored embed", "<p>https://clips.example/1</p>",
			`<p><iframe loading="lazy" src="https://clips.example/e/1" width="4" height="3"></iframe></p>`},
		{"unknown embed", "[embed]https://clips.example/2?a=1&amp;b[/embed]",
			`<p><a href="https://clips.example/2?a=1&#038;b">https://clips.example/2?a=1&amp;b</a></p>`},
		{"audio on its line", "https://town.example/bells.mp3",
			`<audio class="wp-audio-shortcode" id="audio-0-1" preload="none" style="width: 100%;" controls="controls">` +
				`<source type="audio/mpeg" src="https://town.example/bells.mp3?_=1" />` +
				`<a href="https://town.example/bells.mp3">https://town.example/bells.mp3</a></audio>`},
		{"file that no player plays", `[video src="/a.mkv"]`, `<a class="wp-embedded-video" href="/a.mkv">/a.mkv</a>`},
		{"escaped shortcode", "[[gallery]] stays", "<p>[gallery] stays</p>"},
		{"caption", `[caption width="300" id="pic_7"]<img src="a.jpg"> Our hall[/caption]`,
			`<figure id="pic_7" aria-describedby="caption-pic-7" style="width: 300px" class="wp-caption alignnone">` +
				`<img decoding="async" src="a.jpg"><figcaption id="caption-pic-7" class="wp-caption-text">Our hall</figcaption></figure>`},
		{"caption without text", `[caption width="300"]<img src="a.jpg">[/caption]`, `<img decoding="async" src="a.jpg">`},
		{"shortcode in an attribute", `<i title="[caption]x[/caption]">y</i>`, `<p><i title="x">y</i></p>`},
		{"gallery of nothing", `[gallery ids="99"]`, ""},
		{"image of the library", `<img class="wp-image-7" src="https://town.example/wp-content/uploads/2027/05/hall-300x225.jpg">`,
			`<p><img loading="lazy" decoding="async" width="300" height="225" class="wp-image-7" ` +
				`src="https://town.example/wp-content/uploads/2027/05/hall-300x225.jpg" ` +
				`srcset="https://town.example/wp-content/uploads/2027/05/hall-300x225.jpg 300w, ` +
				`https://town.example/wp-content/uploads/2027/05/hall-1024x768.jpg 1024w, ` +
				`https://town.example/wp-content/uploads/2027/05/hall.jpg 1600w" sizes="auto, (max-width: 300px) 100vw, 300px" /></p>`},
		{"urgent large image", `<img loading="eager" src="a.jpg" width="500" height="500">`,
			`<p><img fetchpriority="high" decoding="async" loading="eager" src="a.jpg" width="500" height="500"></p>`},
		{"group", `<!-- wp:group {"layout":{"type":"constrained","justifyContent":"left"}} --><div class="wp-block-group">x</div><!-- /wp:group -->`,
			`<div class="wp-block-group has-global-padding is-content-justification-left is-layout-constrained ` +
				`wp-container-core-group-is-layout-` + layoutTestHash(`[{"type":"constrained","justifyContent":"left"},true,null,false,"1.2rem",null]`) +
				` wp-block-group-is-layout-constrained">x</div>`},
		{"wrapper inside a block", `<!-- wp:cover --><div class="wp-block-cover"><div class="inside"><!-- wp:html -->x<!-- /wp:html --></div></div><!-- /wp:cover -->`,
			`<div class="wp-block-cover"><div class="inside is-layout-flow wp-block-cover-is-layout-flow">x</div></div>`},
		{"image block without image", "<!-- wp:image --><figure></figure><!-- /wp:image -->", ""},
		{"button without text", `<!-- wp:button --><div><a href="/"></a></div><!-- /wp:button -->`, ""},
		{"button with a style", `<!-- wp:button {"className":"is-style-outline"} --><div class="is-style-outline"><a>Go</a></div><!-- /wp:button -->`,
			`<div class="is-style-outline is-style-outline--1"><a>Go</a></div>`},
		{"hidden block", `<!-- wp:html {"metadata":{"blockVisibility":false}} -->x<!-- /wp:html -->`, ""},
		{"reusable block that contains itself", `<!-- wp:block {"ref":5} /-->`, `<p class="wp-block-paragraph">Again</p>`},
		{"closing comment alone", "a<!-- /wp:html -->b<!-- wp:html -->c", "a<!-- /wp:html -->b<!-- wp:html -->c"},
		{"block of the calendar", `<!-- wp:tribe/event-price /-->`, `<b>Price</b>`},
		{"organizer", `<!-- wp:tribe/event-organizer {"organizer":9} /-->`, `<div><h3>The &#8220;Club&#8221;</h3></div>`},
		{"block of a plugin", `<!-- wp:shop/box --><div>x</div><!-- /wp:shop/box --><!-- wp:shop/list /-->`, "<div>x</div>"},
	}
	site, res := sitetest.Site("https://town.example"), sitetest.Resources()
	site.ProfileBlocks = map[string]string{
		"tribe/event-price": "<b>Price</b>", "tribe/event-organizer#box": "<div><h3></h3></div>",
	}
	for _, tt := range tests {
		if got := Render(tt.in, site, res, &wptext.RequestState{}); got != tt.want {
			t.Errorf("%s\n in   %q\n got  %q\n want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func layoutTestHash(json string) string {
	sum := md5.Sum([]byte(json))
	return hex.EncodeToString(sum[:])[:8]
}

func TestGallery(t *testing.T) {
	site, res := sitetest.Site("https://town.example"), sitetest.Resources()
	req := &wptext.RequestState{}
	icon := func(orientation, inner string) string {
		return "<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon " + orientation + "'>\n\t\t\t\t" + inner + "\n\t\t\t</div>"
	}
	img := func(size int, src, alt, rest string) string {
		return fmt.Sprintf(`<img loading="lazy" decoding="async" width="%d" height="%d" src="https://town.example/wp-content/uploads/%s" `+
			`class="attachment-thumbnail size-thumbnail" alt="%s"%s />`, size, size, src, alt, rest)
	}
	want := "<div id='gallery-1' class='gallery galleryid-0 gallery-columns-3 gallery-size-thumbnail'>" +
		icon("landscape", img(150, "2027/05/hall-150x150.jpg", "A hall", ` aria-describedby="gallery-1-7"`)) +
		"\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='gallery-1-7'>\n\t\t\t\tThe &#8220;hall&#8221;\n\t\t\t\t</figcaption></figure>\n\t\t</div>"
	if got := Render(`[gallery link="none"]`, site, res, req); got != want {
		t.Errorf("unattached images\n got  %q\n want %q", got, want)
	}
	want = "<div id='gallery-2' class='gallery galleryid-3 gallery-columns-3 gallery-size-thumbnail'>" +
		icon("portrait", `<a href='https://town.example/event/fair/sign/'><img loading="lazy" decoding="async" width="40" height="60" `+
			`src="https://town.example/wp-content/uploads/sign.png" class="attachment-thumbnail size-thumbnail" alt="" /></a>`) + "</figure>\n\t\t</div>"
	if got := Render(`[gallery id="3"]`, site, res, req); got != want {
		t.Errorf("images of a post\n got  %q\n want %q", got, want)
	}
	Render(`[gallery ids="7" orderby="rand"] [tec_event_qr] <!-- wp:calendar /-->`, site, res, req)
	names := slices.Sorted(maps.Keys(req.Unknown()))
	if want := []string{"[gallery] orderby", "[tec_event_qr]", "core/calendar"}; !slices.Equal(names, want) {
		t.Errorf("not rendered: %q, want %q", names, want)
	}
}

// TestContentAfterBlocks: once a text with blocks was shown, a shortcode that
// stands alone keeps its paragraph.
func TestContentAfterBlocks(t *testing.T) {
	site, req := sitetest.Site("https://town.example"), &wptext.RequestState{}
	const text, alone, inParagraph = "[audio src=/a.mp3]", "<audio", "<p><audio"
	before := req.Progress
	got := []string{Render(text, site, sitetest.Resources(), req)[:6]}
	Render("<!-- wp:html -->x<!-- /wp:html -->", site, sitetest.Resources(), req)
	got = append(got, Render(text, site, sitetest.Resources(), req)[:9])
	if want := []string{alone, inParagraph}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if req.Progress == before {
		t.Error("rendering left no trace in the progress")
	}
}

func TestRefs(t *testing.T) {
	site := sitetest.Site("https://town.example")
	refs := &Refs{}
	refs.Collect("Nothing here: [x] <b>", site)
	if !refs.Empty() {
		t.Error("references found in plain text")
	}
	refs.Collect(`<img class="WP-Image-12"> [gallery ids="3,4, 3"] [gallery] [gallery id=6 exclude=7] [playlist ids="8"]`, site)
	refs.Collect("[embed height=10]https://clips.example/1[/embed]\n\nhttps://clips.example/2\n<p>https://clips.example/a.mp3</p>", site)
	refs.Collect(`<!-- wp:block {"ref":21} /--> <!-- wp:tribe/event-organizer {"organizer":31} /-->`, site)
	refs.CollectImages(`<img class="wp-image-13">`)
	got := fmt.Sprint(refs.Attachments(), refs.Parents(), refs.Blocks(), refs.Organizers(), len(refs.EmbedKeys()))
	if want := "[3 4 8 12 13] [0 6] [21] [31] 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	res := &wptext.Resources{Blocks: map[int64]string{21: `<!-- wp:block {"ref":21} /--><!-- wp:block {"ref":22} /--><img class="wp-image-3">`}}
	nested := refs.Nested(res, site)
	if got := fmt.Sprint(nested.Attachments(), nested.Blocks()); got != "[] [22]" {
		t.Errorf("nested: %s", got)
	}
	if !refs.Nested(res, site).Empty() {
		t.Error("the second round finds the same again")
	}
}

// TestRefsSize: an estimate that grows with every kind of reference.
func TestRefsSize(t *testing.T) {
	site := sitetest.Site("https://town.example")
	refs := &Refs{}
	last := 0
	for _, s := range []string{"plain", "<img class=wp-image-1>", "[gallery]", `<!-- wp:block {"ref":2} /-->`, `<!-- wp:tribe/event-organizer {"organizer":3} /-->`, "https://clips.example/1"} {
		refs.Collect(s, site)
		if size := refs.Size(); size <= last {
			t.Errorf("with %s: %d bytes after %d", s, size, last)
		} else {
			last = size
		}
		if onlyFiles := s == "plain" || s[0] == '<' && s[1] == 'i'; refs.FilesOnly() != onlyFiles {
			t.Errorf("with %s: files only is %v", s, refs.FilesOnly())
		}
	}
	site.TECBlocks = false
	refs = &Refs{}
	if refs.Collect(`<!-- wp:tribe/event-organizer {"organizer":3} /-->`, site); !refs.Empty() {
		t.Error("organizers of blocks that aren't registered")
	}
	for i := range 20000 {
		refs.ids[attachments].add(int64(i))
	}
	if n := len(refs.Attachments()); n != 10000 {
		t.Errorf("%d attachments", n)
	}
}

// TestChain: settings that change the steps of the chain.
func TestChain(t *testing.T) {
	site := sitetest.Site("https://town.example")
	render := func(s string) string { return Render(s, site, sitetest.Resources(), &wptext.RequestState{}) }
	const player = "<audio"
	if got := render("[audio src=/a.mp3]"); got[:len(player)] != player {
		t.Errorf("got %s", got)
	}
	texttest.CheckPairs(t, render, ":) Wordpress", "<p>🙂 WordPress</p>", "http://town.example/ x", "<p>http://town.example/ x</p>")
	site.UseSmilies, site.FixInsecureHome, site.LateParagraphs = false, true, true
	if got := render("[audio src=/a.mp3]"); got[:len("<p>"+player)] != "<p>"+player {
		t.Errorf("late paragraphs: %s", got)
	}
	texttest.CheckPairs(t, render, ":)", "<p>:)</p>", "http://town.example/ x", "<p>https://town.example/ x</p>")
}

// TestLDDescription: the excerpt as a JavaScript string.
func TestLDDescription(t *testing.T) {
	site := sitetest.Site("https://town.example")
	texttest.CheckPairs(t, func(s string) string {
		return LDDescription(s, "the content", usualMore, site, sitetest.Resources(), &wptext.RequestState{})
	}, `It's "on" & <b class="x">free</b>`, `&lt;p&gt;It\'s &quot;on&quot; &amp; &lt;b class=&quot;x&quot;&gt;free&lt;/b&gt;&lt;/p&gt;\n`,
		"", `&lt;p&gt;the content&lt;/p&gt;\n`, "a [b] [c\nd] [] <!-- wp:x -->", `&lt;p&gt;a  [c&lt;br /&gt;\nd] [] &lt;/p&gt;\n`)
	words := strings.Repeat("w ", 31)
	if got, want := TECExcerpt("", words, usualMore, site, sitetest.Resources(), &wptext.RequestState{}), "<p>"+words[:59]+" [&hellip;]</p>\n"; got != want {
		t.Errorf("31 words: %s", got)
	}
	if got := TECExcerpt("", words[:60], usualMore, site, sitetest.Resources(), &wptext.RequestState{}); got != "<p>"+words[:59]+"</p>\n" {
		t.Errorf("30 words: %s", got)
	}
}

func TestTECExcerpt(t *testing.T) {
	site := sitetest.Site("https://town.example")
	tests := []struct{ excerpt, content, want string }{
		{"Own [x] <h2>\"excerpt\"</h2>", "ignored", "<p>Own  \"excerpt\"</p>\n"},
		{"", "<!-- wp:quote --><blockquote><!-- wp:paragraph --><p>Said</p><!-- /wp:paragraph --></blockquote><!-- /wp:quote -->" +
			"<!-- wp:list --><ul><!-- wp:list-item --><li>gone</li><!-- /wp:list-item --></ul><!-- /wp:list -->", "<p>Said</p>\n"},
		{"0", "from the content", "<p>from the content</p>\n"},
	}
	for _, tt := range tests {
		if got := TECExcerpt(tt.excerpt, tt.content, usualMore, site, sitetest.Resources(), &wptext.RequestState{}); got != tt.want {
			t.Errorf("%q, %q: got %q, want %q", tt.excerpt, tt.content, got, tt.want)
		}
	}
}

func BenchmarkContent(b *testing.B) {
	site, res := sitetest.Site("https://town.example"), sitetest.Resources()
	classic := "An evening of \"music\" -- doors at 7pm.\n\nSee <a href=\"https://town.example/?a=1&b=2\">our page</a>.\n\n"
	blocks := "<!-- wp:paragraph -->\n<p>An evening of \"music\" -- doors at 7pm.</p>\n<!-- /wp:paragraph -->\n\n" +
		"<!-- wp:image {\"id\":7} -->\n<figure class=\"wp-block-image\"><img src=\"https://town.example/wp-content/uploads/2027/05/hall-300x225.jpg\" class=\"wp-image-7\"/></figure>\n<!-- /wp:image -->\n\n" +
		"<!-- wp:heading -->\n<h2>Programme</h2>\n<!-- /wp:heading -->\n"
	for name, text := range map[string]string{"classic": classic + classic, "blocks": blocks + blocks} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Render(text, site, res, &wptext.RequestState{})
			}
		})
	}
}

// usualMore is the tail of excerpts without a theme's own.
const usualMore = " [&hellip;]"
