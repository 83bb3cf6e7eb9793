package texttest

import "testing"

// AddSeeds adds seeds, and some that suit every text function.
func AddSeeds(f *testing.F, seeds ...string) {
	for _, s := range append(seeds,
		"", "0", "plain", "<p>\"a\" -- 'b'</p>\n\nc & d", "\xff\xc2", "<!-- x --> [gallery ids='1'] <", "😀 é %c3") {
		f.Add(s)
	}
}

// ContentSeeds are contents with shortcodes, blocks, images and embeds.
var ContentSeeds = []string{
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
