package media

import (
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
)

// TestCaption: an image with a text below it, in HTML5 themes and in others.
func TestCaption(t *testing.T) {
	const start = `style="width: 300px" class="wp-caption alignnone"><img a>`
	texttest.CheckPairs(t, run(sitetest.Site("https://town.example")),
		"[caption width=300]<img a> Text [/caption]", "<figure "+start+`<figcaption class="wp-caption-text">Text</figcaption></figure>`,
		"[wp_caption width=300 caption='Text']<img a>[/wp_caption]", "<figure "+start+`<figcaption class="wp-caption-text">Text</figcaption></figure>`,
		`[caption width=300 caption="<b onclick=x>T</b><script>"]<img a>[/caption]`, "<figure "+start+`<figcaption class="wp-caption-text"><b>T</b></figcaption></figure>`,
		"[caption width=0]<img a>x[/caption]", "<img a>", "[caption]<img a>x[/caption]", "<img a>", "[caption width=300]<img a>[/caption]", "<img a>", "[caption width=300]text[/caption]", "text",
		`[caption width="300" id="a_1!" align="alignleft" class="c d"]<a href="x"> <IMG a></a>T[/caption]`,
		`<figure id="a_1" aria-describedby="caption-a-1" style="width: 300px" class="wp-caption alignleft c d"><a href="x"> <IMG a></a>`+
			`<figcaption id="caption-a-1" class="wp-caption-text">T</figcaption></figure>`,
		`[caption width="300" caption_id="k"]lost<img a>T[/caption]`, `<figure aria-describedby="k" `+start+`<figcaption id="k" class="wp-caption-text">T</figcaption></figure>`,
		`[caption width="300"]<a b><img></a>T[/caption]`, "<a b><img></a>T",
		`[caption width="300" caption="x"]<img a>[audio src=/a.zip][/caption]`, "<figure "+start+`<a class="wp-embedded-audio" href="/a.zip">/a.zip</a><figcaption class="wp-caption-text">x</figcaption></figure>`,
	)
	classic := sitetest.Site("https://town.example")
	classic.Theme = wptext.ClassicTheme(false)
	texttest.CheckPairs(t, run(classic),
		"[caption width=300]<img a>T[/caption]", `<div style="width: 310px" class="wp-caption alignnone"><img a><p class="wp-caption-text">T</p></div>`,
		"[caption width=300 id=b]<img a>T[/caption]", `<div id="b" style="width: 310px" class="wp-caption alignnone"><img aria-describedby="caption-b" a>`+
			`<p id="caption-b" class="wp-caption-text">T</p></div>`)
}

func FuzzCaption(f *testing.F) {
	for _, s := range texttest.ContentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if image, rest, ok := splitCaption(s); ok && !strings.HasSuffix(s, image+rest) {
			t.Errorf("%q: image %q, text %q", s, image, rest)
		}
	})
}
