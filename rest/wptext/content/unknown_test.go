package content

import (
	"maps"
	"slices"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
)

// TestUnknown tells text from what only another plugin can render.
func TestUnknown(t *testing.T) {
	site := sitetest.Site("https://town.example")
	site.StaticBlocks = []string{"kadence/*", "stack/divider"}
	site.Shortcodes = []string{"tickets"}
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
