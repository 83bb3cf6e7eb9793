package blocks

import (
	"strings"
	"testing"
)

func TestUnrendered(t *testing.T) {
	profile := map[string]string{"core/search": "<form>", "tribe/event-organizer#box": "<div>"}
	for _, c := range []struct{ name, text, want string }{
		{"no blocks", "<p>text</p>", ""},
		{"stored blocks", "<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph --><!-- wp:image {\"id\":3} --><img><!-- /wp:image -->", ""},
		{"dynamic", `<!-- wp:latest-posts {"postsToShow":2} /--><!-- wp:latest-posts /--><!-- wp:query-title /-->`, "core/latest-posts core/query-title"},
		{"inside another", `<!-- wp:group --><div><!-- wp:rss /--></div><!-- /wp:group -->`, "core/rss"},
		{"recorded", `<!-- wp:search {"label":"S"} /--><!-- wp:tribe/event-organizer {"organizer":33} /-->`, ""},
		{"the calendar's", "<!-- wp:tribe/event-links /-->", "tribe/event-links"},
		{"social links", `<!-- wp:social-links --><ul><!-- wp:social-link {"service":"x"} /--><!-- wp:social-link {"url":"https://a.example","service":"chain"} /--></ul><!-- /wp:social-links -->`, "core/social-link"},
		{"of plugins", "<!-- wp:acme/map /--><!-- wp:known/box /--><!-- wp:all/of-them /-->", "acme/map"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(Unrendered(c.text, profile, []string{"known/box", "all/*"}), " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
