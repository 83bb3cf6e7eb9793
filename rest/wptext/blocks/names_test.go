package blocks

import (
	"strings"
	"testing"

	"calbridge/rest/wptext"
)

func TestUnrendered(t *testing.T) {
	profile := map[string]string{"core/search": "<form>", "tribe/event-organizer#box": "<div>"}
	static := wptext.PluginBlocks{Static: []string{"known/box", "all/*"}}
	registered := wptext.PluginBlocks{Static: []string{"acme/*"}, Dynamic: []string{"acme/map", "shop/cart", "tribe/rsvp"}, Complete: true}
	for _, c := range []struct {
		name, text, want string
		plugins          wptext.PluginBlocks
	}{
		{"no blocks", "<p>text</p>", "", static},
		{"stored blocks", "<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph --><!-- wp:image {\"id\":3} --><img><!-- /wp:image -->", "", static},
		{"dynamic", `<!-- wp:latest-posts {"postsToShow":2} /--><!-- wp:latest-posts /--><!-- wp:query-title /-->`, "core/latest-posts core/query-title", static},
		{"inside another", `<!-- wp:group --><div><!-- wp:rss /--></div><!-- /wp:group -->`, "core/rss", static},
		{"recorded", `<!-- wp:search {"label":"S"} /--><!-- wp:tribe/event-organizer {"organizer":33} /-->`, "", static},
		{"the calendar's", "<!-- wp:tribe/event-links /-->", "tribe/event-links", static},
		{"social links", `<!-- wp:social-links --><ul><!-- wp:social-link {"service":"x"} /--><!-- wp:social-link {"url":"https://a.example","service":"chain"} /--></ul><!-- /wp:social-links -->`, "core/social-link", static},
		{"of plugins", "<!-- wp:acme/map /--><!-- wp:known/box /--><!-- wp:all/of-them /-->", "acme/map", static},
		{"registered", "<!-- wp:shop/cart /--><!-- wp:shop/box /--><!-- wp:acme/map /--><!-- wp:tribe/rsvp /--><!-- wp:tribe/tickets /-->", "shop/cart tribe/rsvp", registered},
		{"beside registered ones", "<!-- wp:rss /--><!-- wp:tribe/event-links /-->", "core/rss tribe/event-links", registered},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(Unrendered(c.text, profile, &c.plugins), " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
