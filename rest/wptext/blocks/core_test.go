package blocks

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
)

func unknown(req *wptext.RequestState) string {
	return strings.Join(slices.Sorted(maps.Keys(req.Unknown())), " ")
}

// TestCoreBlocks: what WordPress 7.0 changes in saved HTML.
func TestCoreBlocks(t *testing.T) {
	texttest.CheckPairs(t, render(sitetest.Site("https://town.example")),
		"plain [x]", "plain [x]", "<!-- comment -->", "<!-- comment -->", "a\n<!-- wp:html -->\nb\n<!-- /wp:html -->\nc", "a\n\nb\n\nc",
		"<!-- wp:paragraph --><p>a</p><p>b</p><!-- /wp:paragraph -->", `<p class="wp-block-paragraph">a</p><p>b</p>`,
		"<!-- wp:heading --><h1>a</h1><!-- /wp:heading -->", `<h1 class="wp-block-heading">a</h1>`, "<!-- wp:heading --><h2>a</h2><!-- /wp:heading -->", `<h2 class="wp-block-heading">a</h2>`,
		"<!-- wp:heading --><h3>a</h3><!-- /wp:heading -->", `<h3 class="wp-block-heading">a</h3>`, "<!-- wp:heading --><h4>a</h4><!-- /wp:heading -->", `<h4 class="wp-block-heading">a</h4>`,
		"<!-- wp:heading --><h5>a</h5><!-- /wp:heading -->", `<h5 class="wp-block-heading">a</h5>`, "<!-- wp:heading --><h6>a</h6><!-- /wp:heading -->", `<h6 class="wp-block-heading">a</h6>`,
		`<!-- wp:heading --><h2 class="wp-block-heading">a</h2><!-- /wp:heading -->`, `<h2 class="wp-block-heading">a</h2>`, "<!-- wp:heading --><p>a<!-- /wp:heading -->", "<p>a",
		"<!-- wp:list --><ul><li>a</ul><!-- /wp:list -->", `<ul class="wp-block-list"><li>a</ul>`, "<!-- wp:list --><ol><li>a</ol><!-- /wp:list -->", `<ol class="wp-block-list"><li>a</ol>`,
		// images
		"<!-- wp:image --><figure></figure><!-- /wp:image -->", "", `<!-- wp:image --><img src=""><!-- /wp:image -->`, "",
		`<!-- wp:image {"id":7} --><img src="a"><figcaption class="x"></figcaption><!-- /wp:image -->`, `<img src="a">`,
		`<!-- wp:image {"caption":"c"} --><img src="a"><figcaption></figcaption><!-- /wp:image -->`, `<img src="a"><figcaption></figcaption>`,
		`<!-- wp:gallery --><figure><!-- wp:image {"id":7} --><img src="a"><!-- /wp:image --><!-- wp:image --><img src="b"><!-- /wp:image --></figure><!-- /wp:gallery -->`,
		`<figure class="wp-block-gallery-1 is-layout-flex wp-block-gallery-is-layout-flex"><img data-id="7" src="a"><img src="b"></figure>`,
		// buttons
		`<!-- wp:button --><div><a href="x"><!-- c --></a></div><!-- /wp:button -->`, "", `<!-- wp:button --><a> </a><!-- /wp:button -->`, "<a> </a>", "<!-- wp:button --><div><BUTTON>b</BUTTON></div><!-- /wp:button -->", "<div><BUTTON>b</BUTTON></div>",
		"<!-- wp:button --><div>b</div><!-- /wp:button -->", "", "<!-- wp:button --><a>b<!-- /wp:button -->", "<a>b",
		`<!-- wp:button {"className":"x is-style-wide is-style-y"} --><div><a>b</a></div><!-- /wp:button -->`, `<div class="is-style-wide--1"><a>b</a></div>`,
		`<!-- wp:button {"className":"is-style-fill"} --><div><a>b</a></div><!-- /wp:button -->`, "<div><a>b</a></div>",
		`<!-- wp:button {"className":"is-style-default is-style-"} --><div><a>b</a></div><!-- /wp:button -->`, "<div><a>b</a></div>",
		// shortcode, reusable and unknown blocks
		"<!-- wp:shortcode -->a\nb<!-- /wp:shortcode -->", "<p>a<br />\nb</p>\n", `<!-- wp:block {"ref":5} /-->`, `<p class="wp-block-paragraph">Again</p>`,
		`<!-- wp:block {"ref":6} /--><!-- wp:block /-->`, "", "<!-- wp:acme/x -->a<!-- wp:html -->b<!-- /wp:html --><!-- /wp:acme/x --><!-- wp:acme/y /-->", "ab",
		`<!-- wp:html {"metadata":{"blockVisibility":false}} -->x<!-- /wp:html -->`, "", `<!-- wp:html {"metadata":{"blockVisibility":true}} -->x<!-- /wp:html -->`, "x",
		"<!-- wp:more --> <!--more--> <!-- /wp:more -->", " <!--more--> ",
	)
	old := sitetest.Site("https://town.example")
	old.Traits = sitetest.Traits("6.8")
	texttest.CheckPairs(t, render(old), "<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->", "<p>a</p>",
		`<!-- wp:html {"metadata":{"blockVisibility":false}} -->x<!-- /wp:html -->`, "x")
}

// TestReusable: reusable blocks in each other end at a bound, and what they embed is
// looked up.
func TestReusable(t *testing.T) {
	site, res := sitetest.Site("https://town.example"), sitetest.Resources()
	for i := range int64(30) {
		res.Blocks[100+i] = fmt.Sprintf(`%d <!-- wp:block {"ref":%d} /-->`, i, 101+i)
	}
	res.Blocks[50] = "https://clips.example/1\n[donate_now]"
	req := &wptext.RequestState{}
	if got := Render(`<!-- wp:block {"ref":100} /-->`, site, res, req); got != "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 " {
		t.Errorf("nested: %s", got)
	}
	if got := Render(`<!-- wp:block {"ref":"50"} /-->`, site, res, req); !strings.HasPrefix(got, "<iframe") || unknown(req) != "[donate_now]" {
		t.Errorf("embed: %s, not rendered %s", got, unknown(req))
	}
}

// TestElementsClass: colours of links, headings and buttons.
func TestElementsClass(t *testing.T) {
	site := sitetest.Site("https://town.example")
	site.Traits = sitetest.Traits("7.1")
	paragraph := func(elements string) string {
		return `<!-- wp:paragraph {"style":{"elements":` + elements + `}} --><p>a</p><!-- /wp:paragraph -->`
	}
	for elements, coloured := range map[string]bool{
		`{"link":{"color":{"text":"#fff"}}}`: true, `{"link":{":hover":{"color":{"text":"#fff"}}}}`: true, `{"link":{"color":{"background":"#fff"}}}`: false,
		`{"button":{"color":{"background":"#fff"}}}`: true, `{"heading":{"color":{"gradient":"x"}}}`: true, `{"h1":{"color":{"text":"x"}}}`: true, `{"h2":{"color":{"text":"x"}}}`: true,
		`{"h3":{"color":{"text":"x"}}}`: true, `{"h4":{"color":{"text":"x"}}}`: true, `{"h5":{"color":{"text":"x"}}}`: true, `{"h6":{"color":{"text":"x"}}}`: true,
		`{"h7":{"color":{"text":"x"}}}`: false, `{"caption":{"color":{"text":"x"}}}`: false, `{}`: false, `{"button":{"typography":{"text":"x"}}}`: false,
	} {
		want := `<p class="wp-block-paragraph">a</p>`
		if coloured {
			want = `<p class="wp-elements-1 wp-block-paragraph">a</p>`
		}
		texttest.CheckPairs(t, render(site), paragraph(elements), want)
	}
	// Blocks that write the colours themselves have no class, and an outer block has a lower
	// number than the one in it.
	const link = `{"link":{"color":{"text":"#fff"}}}`
	for name := range strings.FieldsSeq("table separator button") {
		if html := render(site)("<!-- wp:" + name + ` {"style":{"elements":` + link + `}} --><div><a>b</a></div><!-- /wp:` + name + " -->"); strings.Contains(html, "wp-elements") {
			t.Errorf("%s: %s", name, html)
		}
	}
	texttest.CheckPairs(t, render(site), `<!-- wp:quote {"style":{"elements":`+link+`}} --><div>`+paragraph(link)+"</div><!-- /wp:quote -->",
		`<div class="wp-elements-1 is-layout-flow wp-block-quote-is-layout-flow"><p class="wp-elements-2 wp-block-paragraph">a</p></div>`)
	// Until 7.0 a hash of the parsed block takes the place of the number.
	site.Traits = sitetest.Traits("7.0")
	alone, inGroup := render(site)(paragraph(link)), render(site)(`<!-- wp:group {"layout":{"type":"flex"}} --><div>`+paragraph(link)+"</div><!-- /wp:group -->")
	serialised := `a:5:{s:9:"blockName";s:14:"core/paragraph";s:5:"attrs";a:1:{s:5:"style";a:1:{s:8:"elements";a:1:{s:4:"link";a:1:{s:5:"color";a:1:{s:4:"text";s:4:"#fff";}}}}}` +
		`s:11:"innerBlocks";a:0:{}s:9:"innerHTML";s:8:"<p>a</p>";s:12:"innerContent";a:1:{i:0;s:8:"<p>a</p>";}}`
	for _, html := range []string{alone, inGroup} {
		if want := `<p class="wp-elements-` + md5Hex(serialised) + ` wp-block-paragraph">a</p>`; !strings.Contains(html, want) {
			t.Errorf("got %s, want %s", html, want)
		}
	}
}

// TestNotRendered: what can't be rendered as WordPress would is counted by name.
func TestNotRendered(t *testing.T) {
	site := sitetest.Site("https://town.example")
	site.PluginBlocks.Static = []string{"acme/*", "shop/box"}
	check := func(in, want string) {
		t.Helper()
		req := &wptext.RequestState{}
		Render(in, site, sitetest.Resources(), req)
		if got := unknown(req); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for name := range strings.FieldsSeq(`archives avatar breadcrumbs calendar categories footnotes home-link icon latest-comments
latest-posts legacy-widget loginout page-list pattern read-more rss search tag-cloud template-part widget-group
comment-author-name comments comments-title query query-title post-title site-logo term-description navigation navigation-link`) {
		check("<!-- wp:"+name+" /-->", "core/"+name)
	}
	for name := range strings.FieldsSeq("tribe/classic-event-details tribe/event-datetime tribe/event-venue tribe/event-links tribe/event-price tribe/event-category " +
		"tribe/event-tags tribe/event-website tribe/featured-image tec/archive-events tec/single-event tribe/tickets tec/other shop/cart") {
		check("<!-- wp:"+name+" /-->", name)
		if strings.HasPrefix(name, "t") {
			plain := *site
			plain.ProfileBlocks = map[string]string{name: "<b>profile</b>"}
			texttest.CheckPairs(t, render(&plain), "<!-- wp:"+name+" /-->", "<b>profile</b>")
		}
	}
	for name := range strings.FieldsSeq("paragraph separator spacer table code posts acme/x shop/box") {
		check("<!-- wp:"+name+" /-->", "")
	}
	for attrs, want := range map[string]string{
		`{"style":{"layout":{"selfStretch":"fill"}}}`: "", `{"style":{"color":{"duotone":["#000","#fff"]}}}`: "", `{"style":{"color":{"duotone":"var:preset|duotone|x"}}}`: "core/image style.color.duotone",
		`{"lightbox":{"enabled":true}}`: "core/image lightbox", `{"lightbox":{"enabled":false}}`: "",
	} {
		check("<!-- wp:image "+attrs+` --><img src="a"><!-- /wp:image -->`, want)
	}
	check(`<!-- wp:acme/x {"metadata":{"blockVisibility":false}} -->x<!-- /wp:acme/x -->`, "")
	check(`<!-- wp:shop/cart {"metadata":{"blockVisibility":false}} -->x<!-- /wp:shop/cart -->`, "shop/cart")
	check("<!-- wp:shortcode -->[donate]<!-- /wp:shortcode -->", "[donate]")
}

// TestCalendarBlocks: blocks of the calendar show what the site's profile has.
func TestCalendarBlocks(t *testing.T) {
	site, res, req := sitetest.Site("https://town.example"), sitetest.Resources(), &wptext.RequestState{}
	site.ProfileBlocks = map[string]string{
		"tribe/event-price": "<b>Price</b>", "tribe/event-organizer#box": "<div><h3></h3></div>", "tribe/event-venue": "<b>Venue</b>", "core/calendar": "<b>Calendar</b>",
		"acme/x": "<b>x</b>",
	}
	check := func(in, want, wantUnknown string) {
		t.Helper()
		before := unknown(req)
		if got := Render(in, site, res, req); got != want || strings.TrimSpace(strings.Replace(unknown(req), before, "", 1)) != wantUnknown {
			t.Errorf("%s: %s, not rendered %s", in, got, unknown(req))
		}
	}
	check("<!-- wp:tribe/event-price /--><!-- wp:tribe/event-venue /--><!-- wp:calendar /--><!-- wp:acme/x /-->", "<b>Price</b><b>Venue</b><b>Calendar</b><b>x</b>", "")
	check("<!-- wp:tribe/event-organizer /-->", "", "")
	check(`<!-- wp:tribe/event-organizer {"organizer":9} /--><!-- wp:tribe/event-organizer {"organizer":10} /-->`, "<div><h3>The &#8220;Club&#8221;</h3></div><div><h3></h3></div>", "")
	check(`<!-- wp:tribe/event-venue {"venue":4} /-->`, "<b>Venue</b>", "tribe/event-venue")
	res.Organizers[9].Phone = "1"
	req = &wptext.RequestState{}
	check(`<!-- wp:tribe/event-organizer {"organizer":9} /-->`, "<div><h3>The &#8220;Club&#8221;</h3></div>", "tribe/event-organizer")
	// Where the calendar doesn't register its blocks, they show their saved HTML.
	site.TECBlocks = false
	for name := range strings.FieldsSeq(`tribe/classic-event-details tribe/event-datetime tribe/event-venue tribe/event-organizer
tribe/event-links tribe/event-price tribe/event-category tribe/event-tags tribe/event-website tribe/featured-image
tec/archive-events tec/single-event`) {
		site.ProfileBlocks[name] = "<b>profile</b>"
		check("<!-- wp:"+name+" -->saved<!-- /wp:"+name+" -->", "saved", "")
	}
}

func TestSocialLink(t *testing.T) {
	site, req := sitetest.Site("https://town.example"), &wptext.RequestState{}
	site.ProfileBlocks = map[string]string{"core/social-link/x": "<svg/>", "core/social-link/mail": "<m/>"}
	link := func(s string) string {
		return Render("<!-- wp:social-link "+s+" /-->", site, sitetest.Resources(), req)
	}
	item := func(service, gap, url, icon, label string) string {
		return `<li class="wp-social-link wp-social-link-` + service + gap + `wp-block-social-link"><a href="` + url + `" class="wp-block-social-link-anchor">` + icon +
			`<span class="wp-block-social-link-label screen-reader-text">` + label + "</span></a></li>"
	}
	texttest.CheckPairs(t, link, "", "", `{"service":"x"}`, "", `{"url":"s.example/a","service":"x"}`, item("x", " ", "https://s.example/a", "<svg/>", "X"),
		`{"url":"#a","service":"x","label":"A & B"}`, item("x", " ", "#a", "<svg/>", "A &amp; B"),
		`{"url":"sms:+420123","service":"x"}`, item("x", " ", "sms:+420123", "<svg/>", "X"), `{"url":"a.example:80/b","service":"x"}`, item("x", " ", "https://a.example:80/b", "<svg/>", "X"),
		`{"url":"a@b.example","service":"mail"}`, item("mail", " ", "mailto:a@b.example", "<m/>", "Mail"))
	if unknown(req) != "" {
		t.Errorf("not rendered: %s", unknown(req))
	}
	site.Traits = sitetest.Traits("6.9")
	texttest.CheckPairs(t, link, `{"url":"//a","service":"yy"}`, item("yy", "  ", "//a", "", "Share Icon"))
	if unknown(req) != "core/social-link" {
		t.Errorf("not rendered: %s", unknown(req))
	}
}

// TestRenderExcerpt: the blocks that an excerpt keeps.
func TestRenderExcerpt(t *testing.T) {
	excerpt := func(s string) string {
		return RenderExcerpt(s, sitetest.Site("https://town.example"), sitetest.Resources(), &wptext.RequestState{})
	}
	for name := range strings.FieldsSeq("freeform heading html list media-text paragraph preformatted pullquote quote table verse column columns group") {
		if got := excerpt("<!-- wp:" + name + " -->x<!-- /wp:" + name + " -->"); got != "x" {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name := range strings.FieldsSeq("image list-item code button buttons cover details gallery separator shortcode acme/x") {
		if got := excerpt("<!-- wp:" + name + " -->x<!-- /wp:" + name + " -->"); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	const html, image = "<!-- wp:html -->x<!-- /wp:html -->", "<!-- wp:image -->y<!-- /wp:image -->"
	for name := range strings.FieldsSeq("column columns group") {
		texttest.CheckPairs(t, excerpt, "a<!-- wp:"+name+" --><div>"+html+image+"<!-- wp:group --><p>"+html+"</p><!-- /wp:group --></div><!-- /wp:"+name+" -->b", "axxb")
	}
	texttest.CheckPairs(t, excerpt,
		"<!-- wp:quote --><p>"+html+"</p><!-- /wp:quote -->", `<p class="is-layout-flow wp-block-quote-is-layout-flow">x</p>`,
		"<!-- wp:quote --><p>"+html+image+"</p><!-- /wp:quote -->", "", "<!-- wp:list --><ul><!-- wp:list-item --><li>x<!-- /wp:list-item --></ul><!-- /wp:list -->", "",
		"<!-- wp:quote --><!-- wp:quote -->"+html+"<!-- /wp:quote --><!-- /wp:quote -->", "")
}

func TestRefs(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "{[] [] []}", "<!-- wp:block /--><!-- wp:block {\"ref\":0} /-->": "{[] [] []}",
		`<!-- wp:video {"id":3} --><!-- /wp:video --><!-- wp:video {"id":"x"} /-->`:                                                                                             "{[] [] [3]}",
		`<!-- wp:group {"a":1} --><!-- wp:block {"ref":5} /--><!-- wp:tribe/event-organizer {"organizer":"9"} /--><!-- /wp:group --><!-- /wp:x --><!-- wp:block {"ref":6} /-->`: "{[5 6] [9] []}",
		`<!-- wp:block {"ref":-5} /--><!-- wp:acme/block {"ref":5} /-->`:                                                                                                        "{[] [] []}",
	} {
		if got := fmt.Sprint(Refs(in)); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}
