package media

import (
	"fmt"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
)

// TestCompleteTags: sizes, srcset, loading and decoding, one after the other.
func TestCompleteTags(t *testing.T) {
	site, res := sitetest.Site("https://town.example"), sitetest.Resources()
	complete := func(s string) string { return CompleteTags(s, site, res, &wptext.RequestState{}) }
	const hall = "https://town.example/wp-content/uploads/2027/05/hall"
	const set = ` srcset="` + hall + `-300x225.jpg 300w, ` + hall + `-1024x768.jpg 1024w, ` + hall + `.jpg 1600w"`
	texttest.CheckPairs(t, complete,
		"plain <b> <imgx a> <IMG src=\"a\"> <img> <img >", "plain <b> <imgx a> <IMG src=\"a\"> <img> <img >",
		// decoding
		`<img src="a">`, `<img decoding="async" src="a">`, `<img src='a'>`, `<img src='a'>`, `<img decoding="sync" src="a">`, `<img decoding="sync" src="a">`,
		// loading
		`<img src="a" width="1" height="2">`, `<img loading="lazy" decoding="async" src="a" width="1" height="2">`,
		`<img src="a" width="1">`, `<img decoding="async" src="a" width="1">`, `<img src="a" width="x" height="2">`, `<img decoding="async" src="a" width="x" height="2">`,
		`<img src="a" width="1" height="2" loading="eager">`, `<img decoding="async" src="a" width="1" height="2" loading="eager">`,
		`<img src="a" width="500" height="100" loading="eager">`, `<img fetchpriority="high" decoding="async" src="a" width="500" height="100" loading="eager">`,
		`<img src="a" width="500" height="99" loading="eager">`, `<img decoding="async" src="a" width="500" height="99" loading="eager">`,
		`<img src="a" width="500" height="100" loading="lazy">`, `<img decoding="async" src="a" width="500" height="100" loading="lazy">`,
		`<img src="a" width="500" height="100" fetchpriority="low">`, `<img decoding="async" src="a" width="500" height="100" fetchpriority="low">`,
		`<img src="a" width="500" height="100" fetchpriority="auto" loading="eager">`, `<img decoding="async" src="a" width="500" height="100" fetchpriority="auto" loading="eager">`,
		`<img src="a" width="1" height="2" fetchpriority="high"><img src="b" width="500" height="100" loading="eager">`,
		`<img decoding="async" src="a" width="1" height="2" fetchpriority="high"><img decoding="async" src="b" width="500" height="100" loading="eager">`,
		// sizes
		`<img src="a" width="1" height="2" sizes="5px">`, `<img loading="lazy" decoding="async" src="a" width="1" height="2" sizes="auto, 5px">`,
		`<img src="a" width="1" height="2" sizes="">`, `<img loading="lazy" decoding="async" src="a" width="1" height="2" sizes="auto">`,
		`<img src="a" width="1" height="2" sizes="AUTO, 5px">`, `<img loading="lazy" decoding="async" src="a" width="1" height="2" sizes="AUTO, 5px">`,
		// width and height of an attachment
		`<img class="wp-image-8" src="/sign.png?x">`, `<img loading="lazy" decoding="async" width="40" height="60" class="wp-image-8" src="/sign.png?x">`,
		`<img class="wp-image-8" src="/sign.png" style="width: 20px;">`, `<img loading="lazy" decoding="async" width="20" height="30" class="wp-image-8" src="/sign.png" style="width: 20px;">`,
		`<img class="wp-image-8" src="/else.png">`, `<img decoding="async" class="wp-image-8" src="/else.png">`,
		`<img class="wp-image-8" height=5 src="/sign.png">`, `<img decoding="async" class="wp-image-8" height=5 src="/sign.png">`,
		`<img class="wp-image-99 wp-image-8" src="/sign.png">`, `<img decoding="async" class="wp-image-99 wp-image-8" src="/sign.png">`,
		`<img class="wp-image- WP-IMAGE-8" src="/sign.png">`, `<img loading="lazy" decoding="async" width="40" height="60" class="wp-image- WP-IMAGE-8" src="/sign.png">`,
		`<img class="wp-image-8">`, `<img class="wp-image-8">`,
		// srcset
		`<img class="wp-image-7" src="`+hall+`-300x225.jpg" / >`,
		`<img loading="lazy" decoding="async" width="300" height="225" class="wp-image-7" src="`+hall+`-300x225.jpg"`+set+` sizes="auto, (max-width: 300px) 100vw, 300px" />`,
		`<img class="wp-image-7" src="`+hall+`-300x225.jpg" width="150" height="112" sizes="9px">`,
		`<img loading="lazy" decoding="async" class="wp-image-7" src="`+hall+`-300x225.jpg" width="150" height="112" sizes="auto, 9px"`+set+` />`,
		`<img class="wp-image-7" srcset="x" src="`+hall+`.jpg" width="4" height="3">`,
		`<img loading="lazy" decoding="async" class="wp-image-7" srcset="x" src="`+hall+`.jpg" width="4" height="3">`,
		"<img\nclass=\"wp-image-7\" src=\""+hall+".jpg\" width=\"4\" height=\"3\">", "<img loading=\"lazy\" decoding=\"async\"\nclass=\"wp-image-7\" src=\""+hall+".jpg\" width=\"4\" height=\"3\">",
		// frames
		`<iframe src="a" width="1" height="2">`, `<iframe loading="lazy" src="a" width="1" height="2">`, `<iframe src="a" width="1">`, `<iframe src="a" width="1">`,
		`<iframe src="a" width="1" height="2" loading=x>`, `<iframe src="a" width="1" height="2" loading=x>`,
		`<iframe data-secret="x" src="a" width="1" height="2">`, `<iframe loading="lazy" data-secret="x" src="a" width="1" height="2">`,
		`<img src="a"`, `<img src="a"`,
	)
	old := *site
	old.Traits = sitetest.Traits("6.6")
	texttest.CheckPairs(t, func(s string) string { return CompleteTags(s, &old, res, &wptext.RequestState{}) },
		`<img src="a" width="1" height="2" sizes="5px">`, `<img loading="lazy" decoding="async" src="a" width="1" height="2" sizes="5px">`,
		`<img class="wp-image-7" src="`+hall+`-300x225.jpg">`,
		`<img loading="lazy" decoding="async" width="300" height="225" class="wp-image-7" src="`+hall+`-300x225.jpg"`+set+` sizes="(max-width: 300px) 100vw, 300px" />`)
	// The same tag is completed once, and all its occurrences are alike.
	const eager = `<img src="a" width="500" height="100" loading="eager">`
	req := &wptext.RequestState{}
	first := CompleteTags(eager+eager, site, res, req)
	if second := CompleteTags(eager, site, res, req); first != `<img fetchpriority="high" decoding="async"`+eager[4:]+`<img fetchpriority="high" decoding="async"`+eager[4:] ||
		second != `<img decoding="async"`+eager[4:] || !req.HighPriorityImage {
		t.Errorf("twice %s, then %s", first, second)
	}
}

func TestIDs(t *testing.T) {
	for in, want := range map[string]string{
		"wp-image-7": "[]", `<img class="wp-image-7 WP-image-8"> wp-image-9x`: "[7 8 9]", "<img wp-image-0 wp-image- wp-image-wp-image-5": "[5]",
	} {
		if got := fmt.Sprint(IDs(in)); got != want {
			t.Errorf("%q: %s", in, got)
		}
	}
}
