package blocks

import (
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/wpstore/php"
)

// byRelease renders texts on sites of several releases of WordPress. rows have a text and the
// HTML of each release in turn.
func byRelease(t *testing.T, theme wptext.Theme, releases []string, rows ...[]string) {
	t.Helper()
	for i, release := range releases {
		site := sitetest.Site("https://town.example")
		site.Traits, site.Theme = sitetest.Traits(release), theme
		for _, row := range rows {
			res := sitetest.Resources()
			res.Attachments[6] = &wptext.Attachment{ID: 6, MIMEType: "video/mp4", Metadata: php.Pairs("width", int64(8), "height", int64(6))}
			res.Blocks[4] = `<!-- wp:heading {"metadata":{"name":"H","bindings":{"content":{"source":"core/pattern-overrides"}}}} -->` + "\n<h2>old</h2>\n<!-- /wp:heading -->"
			if got := Render(row[0], site, res, &wptext.RequestState{}); got != row[i+1] {
				t.Errorf("%s\n in   %q\n got  %q\n want %q", release, row[0], got, row[i+1])
			}
		}
	}
}

// TestVisibilityOfReleases: hidden blocks, those hidden on some screens, and notes.
func TestVisibilityOfReleases(t *testing.T) {
	byRelease(t, wptext.TwentyTwentyFive(), []string{"6.8", "6.9", "7.0", "7.1"},
		[]string{`<!-- wp:html {"metadata":{"blockVisibility":false}} -->x<!-- /wp:html -->`, "x", "", "", ""},
		[]string{`<!-- wp:freeform {"metadata":{"blockVisibility":false}} -->x<!-- /wp:freeform -->`, "x", "x", "", ""},
		[]string{`<!-- wp:table {"metadata":{"blockVisibility":{"viewport":{"tablet":false,"desktop":false,"mobile":true}}}} --><i><img src="a" fetchpriority="low"></i><!-- /wp:table -->`,
			`<i><img src="a" fetchpriority="low"></i>`, `<i><img src="a" fetchpriority="low"></i>`,
			`<i class="wp-block-hidden-desktop wp-block-hidden-tablet"><img src="a" fetchpriority="auto"></i>`, `<i class="wp-block-hidden-desktop wp-block-hidden-tablet"><img src="a" fetchpriority="auto"></i>`},
		[]string{`<!-- wp:html {"metadata":{"blockVisibility":{"viewport":{"mobile":false}}}} --><i>x</i><!-- /wp:html -->`, "<i>x</i>", "<i>x</i>", "<i>x</i>", "<i>x</i>"},
		[]string{`<mark class="a wp-note">b<mark>c</mark></mark>d<mark class="wp-note">e`, `<mark class="a wp-note">b<mark>c</mark></mark>d<mark class="wp-note">e`,
			`<mark class="a wp-note">b<mark>c</mark></mark>d<mark class="wp-note">e`, `<mark class="a wp-note">b<mark>c</mark></mark>d<mark class="wp-note">e`, "b<mark>c</mark>de"})
}

// TestClassesOfReleases: style sheets, states, fitting text and places in layouts.
func TestClassesOfReleases(t *testing.T) {
	const parsed = `{"blockName":"core\/table","attrs":{"style":{"css":"a"}},"innerBlocks":[],"innerHTML":"<i>x<\/i>","innerContent":["<i>x<\/i>"]}`
	css := `<i class="has-custom-css wp-custom-css-` + hash8(parsed) + `">x</i>`
	const rules = `{"blockName":"core\/table","rules":[{"state":"","selector":".wp-block-table > table","declarations":{"color":"var(--wp--preset--color--x)","padding-left":"1px"},` +
		`"rules_group":"@media (width <= 480px)"}]}`
	place := `<i class="wp-container-content-` + hash8(`{"layout":{"rowStart":2},"parentLayout":[]}`) + `">x</i>`
	byRelease(t, wptext.TwentyTwentyFive(), []string{"6.9", "7.0", "7.1"},
		[]string{`<!-- wp:table {"style":{"css":"a"}} --><i>x</i><!-- /wp:table -->`, "<i>x</i>", css, css},
		[]string{`<!-- wp:table {"style":{"css":" "}} --><i>x</i><!-- /wp:table -->`, "<i>x</i>", "<i>x</i>", "<i>x</i>"},
		[]string{`<!-- wp:table {"style":{"css":"a<b"}} --><i>x</i><!-- /wp:table -->`, "<i>x</i>", "<i>x</i>", "<i>x</i>"},
		[]string{`<!-- wp:table {"style":{"@mobile":{"color":{"text":"var:preset|color|x"},"spacing":{"padding":{"left":"1px"}}}}} --><i>x</i><!-- /wp:table -->`,
			"<i>x</i>", "<i>x</i>", `<i class="wp-states-` + hash8(rules) + `">x</i>`},
		[]string{`<!-- wp:table {"style":{"layout":{"rowStart":2,"x":1}}} --><i>x</i><!-- /wp:table -->`, "<i>x</i>", "<i>x</i>", place})
	fitted := `<h2 data-wp-context---core-fit-text="core/fit-text::{&quot;fontSize&quot;:&quot;&quot;}" data-wp-init---core-fit-text="core/fit-text::callbacks.init" data-wp-interactive ` +
		`data-wp-style--font-size="core/fit-text::context.fontSize" class="wp-block-heading">x</h2>`
	byRelease(t, wptext.TwentyTwentyFive(), []string{"6.8", "6.9"}, []string{`<!-- wp:heading {"fitText":true} --><h2>x</h2><!-- /wp:heading -->`, `<h2 class="wp-block-heading">x</h2>`, fitted})
}

// TestCoreBlocksOfReleases: what each release does to its own blocks.
func TestCoreBlocksOfReleases(t *testing.T) {
	theme := wptext.TwentyTwentyFive()
	byRelease(t, theme, []string{"6.5", "6.6", "6.9"},
		[]string{"<!-- wp:list --><ol></ol><!-- /wp:list -->", "<ol></ol>", `<ol class="wp-block-list"></ol>`, `<ol class="wp-block-list"></ol>`},
		[]string{"<!-- wp:button --><a></a><!-- /wp:button -->", "<a></a>", "", ""},
		[]string{`<!-- wp:image --><img src=""><!-- /wp:image -->`, `<img src="">`, `<img src="">`, ""},
		[]string{`<!-- wp:video {"id":6} --><video style="a:b"></video><!-- /wp:video -->`, `<video style="a:b"></video>`, `<video style="a:b"></video>`, `<video height="6" width="8" style="aspect-ratio: 8 / 6;a:b"></video>`},
		[]string{`<!-- wp:block {"ref":4,"content":{"H":{"content":"new"}}} /-->`, "\n" + `<h2 class="wp-block-heading">old</h2>` + "\n", `<h2 class="wp-block-heading">new</h2>`, "\n" + `<h2 class="wp-block-heading">new</h2>` + "\n"},
		[]string{`<!-- wp:math --><i></i><!-- /wp:math -->`, "<i></i>", "<i></i>", "<i></i>"},
		[]string{`<!-- wp:accordion --><i></i><!-- /wp:accordion -->`, "<i></i>", "<i></i>",
			`<i class="is-layout-flow wp-block-accordion-is-layout-flow" data-wp-context="{ &quot;autoclose&quot;: false, &quot;accordionItems&quot;: [] }" data-wp-interactive="core/accordion"></i>`})
	byRelease(t, theme, []string{"6.9", "7.0", "7.1"},
		[]string{`<!-- wp:button {"style":{"dimensions":{"width":"75%"}}} --><i style="a:b"><a>x</a></i><!-- /wp:button -->`, `<i style="a:b"><a>x</a></i>`, `<i style="a:b"><a>x</a></i>`,
			`<i class="has-custom-width wp-block-button__width wp-block-button__width-75" style="--wp--block-button--width: 75; a:b"><a>x</a></i>`})
	byRelease(t, theme, []string{"6.5", "6.6", "6.9"},
		[]string{`<!-- wp:group {"style":{"background":{"backgroundImage":{"url":"/a","source":"file"},"backgroundSize":"contain"}}} --><i style="b:c">x</i><!-- /wp:group -->`,
			`<i class="has-background is-layout-flow wp-block-group-is-layout-flow" style="b:c;background-image:url(&#039;/a&#039;);background-position:50% 50%;background-size:contain;">x</i>`,
			`<i class="is-layout-flow wp-block-group-is-layout-flow has-background" style="b:c;background-image:url(&#039;/a&#039;);background-position:50% 50%;background-size:contain;">x</i>`,
			`<i class="is-layout-flow wp-block-group-is-layout-flow has-background" style="b:c;background-image:url(&apos;/a&apos;);background-position:50% 50%;background-size:contain;">x</i>`},
		[]string{`<!-- wp:cover {"style":{"dimensions":{"aspectRatio":"1"},"color":{"duotone":["#00f","#FFF"]}}} --><i>x</i><!-- /wp:cover -->`,
			`<i class="has-aspect-ratio wp-duotone-00f-fff-1 is-layout-flow wp-block-cover-is-layout-flow" style="aspect-ratio:1;min-height:unset;">x</i>`,
			`<i style="aspect-ratio:1;min-height:unset;" class="is-layout-flow wp-block-cover-is-layout-flow has-aspect-ratio wp-duotone-00f-fff-1">x</i>`,
			`<i style="aspect-ratio:1;min-height:unset;" class="is-layout-flow wp-block-cover-is-layout-flow has-aspect-ratio wp-duotone-00f-fff-1">x</i>`})
	classic := wptext.ClassicTheme(true)
	byRelease(t, classic, []string{"6.6", "6.7", "6.9"},
		[]string{`<!-- wp:group {"layout":{"type":"grid"}} --><div class="wp-block-group">x</div><!-- /wp:group -->`,
			`<div class="wp-block-group"><div class="wp-block-group__inner-container is-layout-grid wp-container-core-group-is-layout-1 wp-block-group-is-layout-grid">x</div></div>`,
			`<div class="wp-block-group is-layout-grid wp-container-core-group-is-layout-1 wp-block-group-is-layout-grid">x</div>`,
			`<div class="wp-block-group is-layout-grid wp-container-core-group-is-layout-` + hash8(`[{"type":"grid"},false,null,false,"0.5em",null]`) + ` wp-block-group-is-layout-grid">x</div>`},
		[]string{`<!-- wp:image --><figure class='wp-block-image alignleft'><img src="a"></figure>` + "\n<!-- /wp:image -->",
			`<div class="wp-block-image"><figure class='alignleft'><img src="a"></figure></div>`, `<div class="wp-block-image"><figure class='alignleft'><img src="a"></figure></div>`,
			`<div class="wp-block-image"><figure class="alignleft"><img src="a"></figure>` + "\n</div>"})
}

// TestSocialLinksOfReleases: names, spaces and colours.
func TestSocialLinksOfReleases(t *testing.T) {
	const list = `<!-- wp:social-links {"iconColorValue":"#fff","openInNewTab":true} --><ul><!-- wp:social-link {"url":"a.example","service":"discord","rel":"me"} /--></ul><!-- /wp:social-links -->`
	item := func(style, name string) string {
		gap := " "
		if strings.HasSuffix(style, " ") || strings.HasSuffix(style, ";") {
			gap = "  "
		}
		return `<ul class="is-layout-flex wp-block-social-links-is-layout-flex"><li style="` + style + `" class="wp-social-link wp-social-link-discord` + gap + `wp-block-social-link">` +
			`<a rel="me noopener nofollow" target="_blank" href="https://a.example" class="wp-block-social-link-anchor"><span class="wp-block-social-link-label screen-reader-text">` + name + `</span></a></li></ul>`
	}
	byRelease(t, wptext.TwentyTwentyFive(), []string{"6.7", "6.8", "6.9", "7.0"},
		[]string{list, item("color: #fff; ", "Share Icon"), item("color: #fff; ", "Discord"), item("color:#fff;", "Discord"), item("color:#fff", "Discord")})
}
