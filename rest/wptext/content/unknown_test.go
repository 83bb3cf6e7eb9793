package content

import (
	"maps"
	"slices"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/shortcode"
	"calbridge/rest/wptext/sitetest"
)

// TestUnknown tells text from what only another plugin can render.
func TestUnknown(t *testing.T) {
	site := sitetest.Site("https://town.example")
	site.PluginBlocks.Static = []string{"kadence/*", "stack/divider"}
	site.Shortcodes.Names = []string{"tickets"}
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"Plain <p>text</p>", nil},
		// core's and the calendar's own
		{`[caption width="1"]x[/caption] [gallery ids="7"] [audio src=/a.mp3] [[gallery]]`, nil},
		{"<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph --><!-- wp:separator /-->", nil},
		{"[tec_event_qr]", []string{"[tec_event_qr]"}},
		// text in brackets
		{"[1] [sic] [see page 3] [x] [...] [a-z] [A] [editor's note: a=b] [a, b=c] [ spaced_out x=1]", nil},
		{"a[href=\"x\"] v[i] [=] [/] [/x] [\"a_b\"] [5_x]", nil},
		{"[unfinished_one", nil},
		{"[outer [inner] x=1]", nil},
		{"[contact-form-7]", nil},
		{"[a=b]", nil},
		// what nobody writes as text
		{`[contact-form-7 id="12" title="Write"]`, []string{"[contact-form-7]"}},
		{"[map zoom=3]", []string{"[map]"}},
		{"[map zoom = '3' /]", []string{"[map]"}},
		{"[spoiler]x[/spoiler]", []string{"[spoiler]"}},
		{"[mini_calendar] and [mini_calendar/]", []string{"[mini_calendar]"}},
		{"[tribe_events view=\"month\"]", []string{"[tribe_events]"}},
		{"[tickets]", []string{"[tickets]"}},
		{"<!-- wp:shortcode -->[donate]<!-- /wp:shortcode -->", []string{"[donate]"}},
		{`<!-- wp:block {"ref":6} /-->`, []string{"[slider]"}},
		// blocks
		{"<!-- wp:shop/cart /-->", []string{"shop/cart"}},
		{"<!-- wp:shop/box --><div><!-- wp:shop/cart /--></div><!-- /wp:shop/box -->", []string{"shop/box", "shop/cart"}},
		{"<!-- wp:kadence/row --><div>x</div><!-- /wp:kadence/row --><!-- wp:stack/divider /-->", nil},
		{"<!-- wp:stack/counter --><b>1</b><!-- /wp:stack/counter -->", []string{"stack/counter"}},
		{"<!-- wp:latest-posts /-->", []string{"core/latest-posts"}},
	}
	res := sitetest.Resources()
	res.Blocks[6] = `[slider id="1"]`
	for _, tt := range tests {
		req := &wptext.RequestState{}
		Render(tt.in, site, res, req)
		if got := slices.Sorted(maps.Keys(req.Unknown())); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestUnknownRegistered checks that only what is registered is unknown, if all that is registered
// is known. Anything else is text, or a block with its saved HTML.
func TestUnknownRegistered(t *testing.T) {
	site := sitetest.Site("https://town.example")
	site.PluginBlocks = wptext.PluginBlocks{Dynamic: []string{"shop/cart"}, Complete: true}
	site.Shortcodes = shortcode.Foreign{Names: []string{"map", "5star", "gallery"}, Complete: true}
	res := sitetest.Resources()
	res.Blocks[6], res.Blocks[7] = "[slider id=1]", "[map]"
	for _, tt := range []struct {
		in, html string
		want     []string
	}{
		{in: `[slider id="1"]x[/slider] [mini_calendar]`, html: "<p>[slider id=&#8221;1&#8243;]x[/slider] [mini_calendar]</p>"},
		{in: "[[slider id=1]]", html: "<p>[[slider id=1]]</p>"},
		{in: "[map]", want: []string{"[map]"}},
		{in: "[map=3] [5star/]", want: []string{"[5star]", "[map]"}},
		{in: "[[map]]", want: []string{"[map]"}},
		{in: `<a title="[map]">x</a>`, want: []string{"[map]"}},
		{in: "[mapper] [/map] [Map]", html: "<p>[mapper] [/map] [Map]</p>"},
		{in: "[gallery]", want: []string{"[gallery]"}}, // replaced by a plugin
		{in: "<!-- wp:shortcode -->[donate]<!-- /wp:shortcode -->", html: "<p>[donate]</p>"},
		{in: `<!-- wp:block {"ref":6} /-->`, html: "[slider id=1]"},
		{in: `<!-- wp:block {"ref":7} /-->`, want: []string{"[map]"}},
		{in: "<!-- wp:shop/cart /-->", want: []string{"shop/cart"}},
		{in: "<!-- wp:shop/box --><div><!-- wp:shop/cart /--></div><!-- /wp:shop/box -->", want: []string{"shop/cart"}},
		{in: "<!-- wp:old/box --><div>x<!-- wp:old/void /--></div><!-- /wp:old/box -->", html: "<div>x</div>"},
		{in: `<!-- wp:old/box {"metadata":{"blockVisibility":false}} --><div>x</div><!-- /wp:old/box -->`, want: []string{"old/box"}},
	} {
		t.Run(tt.in, func(t *testing.T) {
			req := &wptext.RequestState{}
			html := Render(tt.in, site, res, req)
			if got := slices.Sorted(maps.Keys(req.Unknown())); !slices.Equal(got, tt.want) {
				t.Errorf("unknown: %q, want %q", got, tt.want)
			}
			if tt.want == nil && html != tt.html {
				t.Errorf("%q, want %q", html, tt.html)
			}
		})
	}
}
