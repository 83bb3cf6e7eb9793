package media

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

const audioStart = `<audio class="wp-audio-shortcode" id="audio-0-1"`

func run(site *wptext.Site) func(string) string {
	return func(s string) string { return Shortcodes(s, site, sitetest.Resources(), &wptext.RequestState{}) }
}

// TestAudio: the player of [audio], by its attributes.
func TestAudio(t *testing.T) {
	const rest = ` preload="none" style="width: 100%;" controls="controls">`
	texttest.CheckPairs(t, run(sitetest.Site("https://town.example")),
		"[audio]", "", "[audio src='a.zip']", `<a class="wp-embedded-audio" href="http://a.zip">a.zip</a>`,
		"[audio src=/a.mp3]", audioStart+rest+`<source type="audio/mpeg" src="/a.mp3?_=1" /><a href="/a.mp3">/a.mp3</a></audio>`,
		`[audio src="/a.MP3?b=1#c"]`, audioStart+rest+`<source type="audio/mpeg" src="/a.MP3?b=1#c&#038;_=1" /><a href="/a.MP3?b=1#c">/a.MP3?b=1#c</a></audio>`,
		"[audio ogg=/a.ogg mp3=/b.mp3 wav=/c.x]", audioStart+rest+`<source type="audio/mpeg" src="/b.mp3?_=1" /><source type="audio/ogg" src="/a.ogg?_=1" /><a href="/b.mp3">/b.mp3</a></audio>`,
		`[audio src=/a.mp3 class="x y" loop=1 autoplay=on muted=FALSE preload=auto style="a:b"]`,
		`<audio class="x y" id="audio-0-1" loop autoplay preload="auto" style="a:b" controls="controls"><source type="audio/mpeg" src="/a.mp3?_=1" /><a href="/a.mp3">/a.mp3</a></audio>`,
	)
	for extension, kind := range map[string]string{"mp3": "audio/mpeg", "ogg": "audio/ogg", "flac": "audio/flac", "m4a": "audio/mpeg", "wav": "audio/wav"} {
		texttest.CheckPairs(t, run(sitetest.Site("https://town.example")), "[audio "+extension+"=/a."+extension+"]",
			audioStart+rest+`<source type="`+kind+`" src="/a.`+extension+`?_=1" /><a href="/a.`+extension+`">/a.`+extension+"</a></audio>")
	}
	for _, off := range []string{"0", "false", "False", "''"} {
		texttest.CheckPairs(t, run(sitetest.Site("https://town.example")), "[audio src=/a.mp3 loop="+off+"]",
			audioStart+rest+`<source type="audio/mpeg" src="/a.mp3?_=1" /><a href="/a.mp3">/a.mp3</a></audio>`)
	}
}

func TestVideo(t *testing.T) {
	const start = `<div style="width: 640px;" class="wp-video"><video class="wp-video-shortcode" id="video-0-1" width="640" height="360"`
	texttest.CheckPairs(t, run(sitetest.Site("https://town.example")),
		"[video]", "", "[video src=/a.avi]", `<a class="wp-embedded-video" href="/a.avi">/a.avi</a>`,
		"[video src=/a.mp4]", start+` preload="metadata" controls="controls"><source type="video/mp4" src="/a.mp4?_=1" /><a href="/a.mp4">/a.mp4</a></video></div>`,
		`[video src=/a.mp4 width=100 height=50 poster="/p.jpg" loop=1 muted=yes preload="" class=c]`,
		`<div style="width: 100px;" class="wp-video"><video class="c" id="video-0-1" width="100" height="50" poster="/p.jpg" loop muted controls="controls">`+
			`<source type="video/mp4" src="/a.mp4?_=1" /><a href="/a.mp4">/a.mp4</a></video></div>`,
	)
	for extension, kind := range map[string]string{"mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "ogv": "video/ogg", "flv": "video/x-flv"} {
		texttest.CheckPairs(t, run(sitetest.Site("https://town.example")), "[video "+extension+"=/a."+extension+"]",
			start+` preload="metadata" controls="controls"><source type="`+kind+`" src="/a.`+extension+`?_=1" /><a href="/a.`+extension+`">/a.`+extension+"</a></video></div>")
	}
	texttest.CheckPairs(t, run(sitetest.Site("https://town.example")),
		"[video src=https://youtu.be/a1 preload=odd]", start+` controls="controls"><source type="video/youtube" src="https://youtu.be/a1?_=1" /><a href="https://youtu.be/a1">https://youtu.be/a1</a></video></div>`,
		"[video src=https://vimeo.com/1]a\n\tb[/video]", start+` preload="metadata" controls="controls"><source type="video/vimeo" src="https://vimeo.com/1?_=1" />ab<a href="https://vimeo.com/1">https://vimeo.com/1</a></video></div>`,
		"[audio src=https://youtu.be/a1]", `<a class="wp-embedded-audio" href="https://youtu.be/a1">https://youtu.be/a1</a>`)
	narrow := sitetest.Site("https://town.example")
	narrow.Theme.ContentWidth = 320
	if got := run(narrow)("[video src=/a.mp4]"); !strings.Contains(got, `width: 320px`) || !strings.Contains(got, ` width="320" height="180"`) {
		t.Errorf("in a narrow theme: %s", got)
	}
}

// TestNumbers: players are numbered by kind within an answer; WordPress up to 6.8 puts a
// script before the first one of each kind.
func TestNumbers(t *testing.T) {
	site, req := sitetest.Site("https://town.example"), &wptext.RequestState{}
	site.Traits = sitetest.Traits("6.8")
	html := ""
	for _, s := range []string{"[audio src=/a.mp3][video src=/a.mp4]", "[audio src=/a.mp3] [audio]", "[audio src=/a.mp3]x[/audio][video src=/b.mp4]y[/video]"} {
		html += Shortcodes(s, site, sitetest.Resources(), req)
	}
	for _, part := range []string{"audio-0-1", "audio-0-2", "audio-0-4", "video-0-1", "video-0-2", "createElement('audio')", "createElement('video')"} {
		if strings.Count(html, part) != 1 {
			t.Errorf("%d times %s in %s", strings.Count(html, part), part, html)
		}
	}
	const script = "<!--[if lt IE 9]><script>document.createElement('audio');</script><![endif]-->\n"
	if !strings.HasPrefix(html, script+"<audio ") {
		t.Errorf("starts with %.120s", html)
	}
	if got := fmt.Sprint(slices.Sorted(maps.Keys(req.Unknown()))); got != "[[audio] with text]" {
		t.Errorf("not rendered: %s", got)
	}
}

func TestOtherShortcodes(t *testing.T) {
	site, req := sitetest.Site("https://town.example"), &wptext.RequestState{}
	site.ProfileBlocks = map[string]string{"[tribe:event-details]": "<i>details</i>"}
	if got := Shortcodes("[embed]x[/embed][tribe:event-details][tec_event_qr]|[playlist ids=7]", site, sitetest.Resources(), req); got != "<i>details</i>|" {
		t.Errorf("got %s", got)
	}
	Shortcodes("[playlist][playlist ids=99][playlist type=image include=8]", site, sitetest.Resources(), req)
	if got := fmt.Sprint(req.Unknown()); got != "map[[playlist]:2 [tec_event_qr]:1]" {
		t.Errorf("not rendered: %s", got)
	}
}
