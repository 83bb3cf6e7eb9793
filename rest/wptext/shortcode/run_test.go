package shortcode

import (
	"testing"

	"calbridge/rest/wptext/texttest"
)

// show renders a shortcode so that all its parts can be seen.
func show(s Shortcode) string { return "{" + s.Name + "|" + s.Attrs + "|" + s.Inner + "}" }

func TestRun(t *testing.T) {
	run := func(s string) string { return Run(s, All, false, show) }
	texttest.CheckPairs(t, run,
		"plain", "plain", "[sic]", "[sic]",
		"a[gallery]b", "a{gallery||}b", "[gallery ids='1' /]", "{gallery| ids='1' |}", "[audio a=b/c]", "{audio| a=b/c|}",
		"[caption x]a[b]c[/caption]", "{caption| x|a[b]c}", "[caption]a[caption]b[/caption]c[/caption]", "{caption||a[caption]b}c[/caption]",
		"[audio][video][/audio]", "{audio||[video]}", "[audio/][video/]", "{audio||}{video||}",
		"[[gallery]]", "[gallery]", "[[caption]x[/caption]]", "[caption]x[/caption]", "[[gallery] x", "[{gallery||} x", "[gallery]]", "{gallery||}]",
		"[gallery-x] [galleryx] [gallery_]", "[gallery-x] [galleryx] [gallery_]", "[gallery", "[gallery", "[ gallery]", "[ gallery]",
		"[wp_caption]a[/wp_caption]", "{wp_caption||a}", "[tribe:event-details]", "{tribe:event-details||}", "[tec_event_qr]", "{tec_event_qr||}",
		"[playlist]", "{playlist||}", "[embed]x[/embed]", "{embed||x}",
	)
}

// TestRunInTags: inside HTML tags shortcodes run in attributes; other brackets are
// hidden from the search and come back.
func TestRunInTags(t *testing.T) {
	plain := func(s Shortcode) string { return "<" + s.Name + ">" }
	texttest.CheckPairs(t, func(s string) string { return Run(s, All, false, plain) },
		"[audio]<a [audio] b=[audio] c='d'>", "<audio><a <audio> b=<audio> c='d'>",
		`[audio]<a b="[audio]">[video]`, `<audio><a b=""><video>`,
		`[audio]<[audio] b>`, `<audio><<audio> b>`,
		"[audio]<a b='['>[video]</a b=']'>", "<audio><a b='['><video></a b=']'>",
		"[audio] <a b='['> ]", "<audio> <a b='['> ]", "[audio]<!-- [audio] --><![CDATA[ [audio] ]]>", "<audio><!-- [audio] --><![CDATA[ [audio] ]]>",
		"[audio] &#91;x&#93; <a b='&#91;'>", "<audio> &#091;x&#093; <a b='&#091;'>",
	)
	texttest.CheckPairs(t, func(s string) string { return Run(s, All, false, func(Shortcode) string { return "x" }) },
		`[audio]<a b="1[audio]2">`, `x<a b="1x2">`)
	texttest.CheckPairs(t, func(s string) string { return Run(s, All, true, plain) },
		`[audio]<a b="[audio]">`, `<audio><a b="[audio]">`, `[audio]<a b="[audio]">]`, `<audio><a b="[audio]">]`,
		`[audio <a b="]">]x`, "<audio>x")
}

func TestSets(t *testing.T) {
	some := SetOf("audio", "video", "unknown")
	texttest.CheckPairs(t, func(s string) string { return Run(s, some, false, show) }, "[audio][gallery][video]", "{audio||}[gallery]{video||}")
	for s, want := range map[string]Set{
		"[audio][/video]":               SetOf("audio", "video"),
		"[audio=1][gallery<b>[embed/x]": SetOf("audio", "gallery", "embed"),
		"[audiox] [ video] audio]":      0,
		"[":                             0,
	} {
		if got := Occurring(s, true); got != want {
			t.Errorf("%q: %b", s, got)
		}
	}
	if got := Occurring("[audio][/video]", false); got != SetOf("audio") {
		t.Errorf("opening tags: %b", got)
	}
	if All != SetOf("wp_caption", "caption", "gallery", "playlist", "audio", "video", "embed", "tribe:event-details", "tec_event_qr") {
		t.Errorf("all: %b", All)
	}
}
