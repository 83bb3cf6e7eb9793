package escape

import (
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestEscape(t *testing.T) {
	texttest.CheckPairs(t, NormalizeEntities,
		"& &amp; &bogus; &eacute; &frac12; &there4;", "&amp; &amp; &amp;bogus; &eacute; &frac12; &there4;",
		"&#39; &#0065; &#8217; &#0; &#65534; &#x0A9; &#xD800; &#12345678; &#000000065;",
		"&#039; &#065; &#8217; &amp;#0; &amp;#65534; &#xA9; &amp;#xD800; &amp;#12345678; &#065;",
		"&amp;amp; &#; &#x; &# &", "&amp;amp; &amp;#; &amp;#x; &amp;# &amp;")
	for _, fn := range []func(string) string{HTML, Attr} {
		texttest.CheckPairs(t, fn,
			"plain", "plain", "\xff", "",
			`<a href="x?a&b">it's</a>`, "&lt;a href=&quot;x?a&amp;b&quot;&gt;it&#039;s&lt;/a&gt;",
			"&lt; &quot;", "&lt; &quot;")
	}
	texttest.CheckPairs(t, JS,
		`it's "x" &#39;&#x0027; a\b`, `it\'s &quot;x&quot; \'\' ab`,
		"<p>a\r\nb\x00</p>", `&lt;p&gt;a\nb\0&lt;/p&gt;`, `\0\\`, `\0\\`)
}

func TestEscURL(t *testing.T) {
	display := func(s string) string { return URL(s, true) }
	texttest.CheckPairs(t, display,
		"", "", "  example.org/a b", "http://example.org/a%20b",
		"https://a.example/?a=1&b='x'", "https://a.example/?a=1&#038;b=&#039;x&#039;",
		"/a?b=[1]", "/a?b=%5B1%5D", "http://[::1]:80/[a]", "http://[::1]:80/%5Ba%5D",
		"javascript:alert(1)", "", "jav\tascript:x", "", "ftp://x", "ftp://x", "x;//y", "",
		"#a", "#a", "?a", "?a", "file.php?x", "file.php?x", "http://a/%0D%0%0aa", "http://a/",
		"mailto:a@b.example?subject=x%0Ay", "mailto:a@b.example?subject=x%0Ay",
		"http://a/<\"é\">", "http://a/é", "\"", "")
	texttest.CheckPairs(t, func(s string) string { return URL(s, false) }, "http://a/?b&c='d'", "http://a/?b&c='d'")
}

func TestAmpersands(t *testing.T) {
	texttest.CheckPairs(t, ConvertChars,
		"a & b", "a &#038; b", "&amp; &#38; &", "&amp; &#38; &", "&a; &ab;", "&#038;a; &ab;", "&&&", "&#038;&&")
	texttest.CheckPairs(t, ConvertInvalidEntities,
		"&#128;&#129;&#150; &#127;&#160;&#1500;&#15", "&#8364;&#8211; &#127;&#160;&#1500;&#15")
}

func TestUnslash(t *testing.T) {
	for _, tt := range [][2]string{{`a\b`, "ab"}, {`\\`, `\`}, {`a\`, "a"}, {`a\0b`, "a\x00b"}, {"plain", "plain"}, {`\"q\"`, `"q"`}} {
		if got := StripSlashes(tt[0]); got != tt[1] {
			t.Errorf("StripSlashes(%q) = %q, want %q", tt[0], got, tt[1])
		}
	}
}
