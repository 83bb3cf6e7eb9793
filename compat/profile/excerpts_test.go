package profile

import (
	"encoding/json"
	"strings"
	"testing"

	"calbridge/compat/wprest"
)

// TestExcerptMore checks the template of the tail of excerpts for several themes.
func TestExcerptMore(t *testing.T) {
	const words = "&lt;p&gt;One &amp; two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty a b c d e f g h "
	item := func(description string) string {
		name := `It&#8217;s &quot;on&quot;`
		body, err := json.Marshal(map[string]any{
			"url": "https://town.example/?p=1&q=2", "title": "x", "excerpt": "", "status": "publish",
			"json_ld": map[string]string{"name": name, "description": strings.NewReplacer("NAME", name, "LINK", "https://town.example/?p=1&#038;q=2").Replace(description)},
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	for tail, want := range map[string]string{
		"last [&hellip;]&lt;/p&gt;\\n":    "",
		"last... [&hellip;]&lt;/p&gt;\\n": "",
		"last&lt;/p&gt;\\n":               "",
		"last [&hellip;]":                 "",
		"last &hellip;&lt;/p&gt;\\n":      " &hellip;",
		"last… more&lt;/p&gt;\\n":         "… more",
		"last&hellip; &lt;a href=&quot;LINK&quot;&gt;On: NAME&lt;/a&gt;&lt;/p&gt;\\n":                                                `&hellip; <a href="{url}">On: {title}</a>`,
		"last &hellip; &lt;/p&gt;\\n&lt;p class=&quot;m&quot;&gt;&lt;a href=&quot;LINK&quot;&gt;don\\'t stop&lt;/a&gt;&lt;/p&gt;\\n": ` &hellip; <p class="m"><a href="{url}">don't stop</a></p>`,
		"last &hellip; &lt;a href=&quot;https://other.example/&quot;&gt;x&lt;/a&gt;&lt;/p&gt;\\n":                                    "",
	} {
		p := build(t, get("", townIndex), get("/events/1", item(words+tail)))
		if got := p.Languages[wprest.DefaultLanguage].Words["excerpt_more"]; got != want {
			t.Errorf("%s: %q, want %q", tail, got, want)
		}
	}
}

// TestGalleryStyle checks the style sheet of galleries, without number and width.
func TestGalleryStyle(t *testing.T) {
	const style = "\n\t\t<style>\n#gallery-%d .item { width: %d%%; }\n</style>\n\t\t"
	gallery := func(text string) string {
		body, err := json.Marshal(map[string]string{"description": text})
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	filled := strings.NewReplacer("%d .", "2 .", "%d%%", "33%").Replace(style)
	const div = "<div id='gallery-2' class='gallery galleryid-0 gallery-columns-3 gallery-size-thumbnail'>"
	p := build(t, get("", townIndex), get("/events/1", gallery("<p>a</p>\n"+filled+div)))
	want := strings.NewReplacer("%d .", "{number} .", "%d%%", "{width}%").Replace(style)
	if got := p.Languages[wprest.DefaultLanguage].Blocks["core/gallery#style"]; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p = build(t, get("", townIndex), get("/events/1", gallery("<p>a</p>\n"+div)))
	if got := p.Languages[wprest.DefaultLanguage].Blocks; len(got) > 0 {
		t.Errorf("%q", got)
	}
}
