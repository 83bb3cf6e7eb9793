package media

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/texttest"
)

// hash returns the key under which WordPress stores an embed for a URL and serialised attributes.
func hash(text string) string {
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

const defaults = `a:2:{s:5:"width";i:500;s:6:"height";i:750;}`

func TestExpand(t *testing.T) {
	const clip, video, unknown = "https://clips.example/1?a=b&c", "https://youtube.com/watch?v=abc", "https://clips.example/404"
	res := &wptext.Resources{Embeds: map[string]string{
		hash(clip + defaults): "<clip>", hash(video + defaults): "<film>", hash(unknown + defaults): "{{unknown}}",
		hash(clip + `a:2:{s:5:"width";s:3:"640";s:6:"height";i:750;}`): "<wide>", hash(clip + `a:2:{s:5:"width";i:500;s:6:"height";s:2:"30";}`): "<low>",
	}}
	texttest.CheckPairs(t, func(s string) string { return ExpandEmbeds(s, 0, res) },
		"plain", "plain", "https://a.example/c\na<!-- wp-line-break -->b", "https://a.example/c\na\nb", "qhttp://a<!-- wp-line-break -->", "qhttp://a<!-- wp-line-break -->",
		"a "+clip+" b", "a "+clip+" b",
		clip, "<clip>", "a\n \t"+clip+" \nb", "a\n \t<clip> \nb", "<p>"+clip+"</p>", "<p><clip></p>", "<P class='x'> "+clip+"\n</P>", "<P class='x'> <clip>\n</P>",
		"<p>x "+clip+"</p>", "<p>x "+clip+"</p>", "<pre>"+clip+"</pre>", "<pre>"+clip+"</pre>", "<p>"+clip, "<p>"+clip, "<p", "<p",
		"<a\nhref='"+clip+"'>", "<a\nhref='"+clip+"'>", "<a\n"+clip+"\n>", "<a\n"+clip+"\n>", "https://\nhttp://", "https://\nhttp://",
		"https://clips.example/1?a=b&amp;c", "<clip>", "HTTPS://clips.example/2", "HTTPS://clips.example/2", unknown, unknown,
		"https://www.youtube.com/embed/abc", "<film>", "https://youtube.com/v/other", "https://youtube.com/watch?v=other",
		"https://a.example/b.mp3", `[audio src="https://a.example/b.mp3" /]`, "http://a.example/b.MP4", `[video  src="http://a.example/b.MP4" /]`,
		"[embed]"+clip+"[/embed]", "<clip>", `[embed width="640"]`+clip+"[/embed]", "<wide>", "[embed height=30]"+clip+"[/embed]", "<low>",
		`[embed src="https://a.example/c"]`, `<a href="https://a.example/c">https://a.example/c</a>`, "[embed][/embed]x", "x", "[embed]"+unknown+"[/embed]", `<a href="`+unknown+`">`+unknown+"</a>",
		"[embed]https://a.example/?b&amp;c'[/embed]", `<a href="https://a.example/?b&#038;c&#039;">https://a.example/?b&amp;c&#039;</a>`,
		"[embed width=3 height=4]https://a.example/b.mp4[/embed]", `[video width="3" height="4"  src="https://a.example/b.mp4" /]`,
		"[embed width=3]https://a.example/b.mp4[/embed]", `[video  src="https://a.example/b.mp4" /]`,
		"<a title='[embed]"+clip+"[/embed]'>[embed]x[/embed]", "<a title='[embed]"+clip+"[/embed]'><a href=\"http://x\">x</a>",
	)
	for _, extension := range []string{"mp3", "ogg", "flac", "m4a", "wav"} {
		u := "https://a.example/b." + extension
		texttest.CheckPairs(t, func(s string) string { return ExpandEmbeds(s, 0, res) }, u, `[audio src="`+u+`" /]`, u+"x", u+"x")
	}
	for _, extension := range []string{"mp4", "m4v", "webm", "ogv", "flv"} {
		u := "https://a.example/b." + extension
		texttest.CheckPairs(t, func(s string) string { return ExpandEmbeds(s, 0, res) }, u, `[video  src="`+u+`" /]`, u+"x", u+"x")
	}
}

// TestKeys: the keys under which the HTML may be stored are those that Expand looks up.
func TestKeys(t *testing.T) {
	const clip = "https://clips.example/1"
	for _, tt := range []struct {
		in    string
		width int
		want  []string
	}{
		{"plain", 0, nil}, {"https://a.example/b.mp3", 0, nil}, {"a " + clip, 0, nil},
		{clip + "\nx\n<p>" + clip + "2</p>", 0, []string{hash(clip + defaults), hash(clip + "2" + defaults)}},
		{"https://youtube.com/embed/a%20b", 0, []string{hash("https://youtube.com/watch?v=a%2520b" + defaults)}},
		{clip, 600, []string{hash(clip + `a:2:{s:5:"width";i:600;s:6:"height";i:900;}`)}},
		{clip, 601, []string{hash(clip + `a:2:{s:5:"width";i:601;s:6:"height";i:902;}`)}},
		{clip, 900, []string{hash(clip + `a:2:{s:5:"width";i:900;s:6:"height";i:1000;}`)}},
		{"[embed height=5 x]" + clip + "[/embed]", 0, []string{
			hash(clip + `a:3:{s:6:"height";s:1:"5";i:0;s:1:"x";s:5:"width";i:500;}`), hash(clip + `a:3:{s:5:"width";i:500;s:6:"height";s:1:"5";i:0;s:1:"x";}`)}},
		{"[embed width=5 height=6]" + clip + "[/embed]", 0, []string{hash(clip + `a:2:{s:5:"width";s:1:"5";s:6:"height";s:1:"6";}`)}},
	} {
		if got := EmbedKeys(tt.in, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("%q, width %d:\n got  %s\n want %s", tt.in, tt.width, fmt.Sprint(got), fmt.Sprint(tt.want))
		}
	}
}
