package escape

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestEscape(t *testing.T) {
	texttest.CheckPairs(t, Rules{}.NormalizeEntities,
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
	texttest.CheckPairs(t, Rules{}.JS,
		`it's "x" &#39;&#x0027; a\b`, `it\'s &quot;x&quot; \'\' ab`,
		"<p>a\r\nb\x00</p>", `&lt;p&gt;a\nb\0&lt;/p&gt;`, `\0\\`, `\0\\`)
}

func TestURL(t *testing.T) {
	display := func(s string) string { return Rules{}.URL(s) }
	texttest.CheckPairs(t, display,
		"", "", "  example.org/a b", "http://example.org/a%20b",
		"https://a.example/?a=1&b='x'", "https://a.example/?a=1&#038;b=&#039;x&#039;",
		"/a?b=[1]", "/a?b=%5B1%5D", "http://[::1]:80/[a]", "http://[::1]:80/%5Ba%5D",
		"javascript:alert(1)", "", "jav\tascript:x", "", "ftp://x", "ftp://x", "x;//y", "",
		"#a", "#a", "?a", "?a", "file.php?x", "file.php?x", "http://a/%0D%0%0aa", "http://a/",
		"mailto:a@b.example?subject=x%0Ay", "mailto:a@b.example?subject=x%0Ay",
		"http://a/<\"é\">", "http://a/é", "\"", "")
	texttest.CheckPairs(t, func(s string) string { return RawURL(s) }, "http://a/?b&c='d'", "http://a/?b&c='d'")
}

// TestProtocols: each allowed scheme stays, another one is cut off.
func TestProtocols(t *testing.T) {
	for scheme := range strings.FieldsSeq(`http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp
sms svn tel fax xmpp webcal urn`) {
		texttest.CheckPairs(t, CutBadProtocol, scheme+":x", scheme+":x", strings.ToUpper(scheme)+"&#58;x", scheme+":x")
		texttest.CheckPairs(t, func(s string) string { return RawURL(s) }, scheme+":x", scheme+":x")
	}
	texttest.CheckPairs(t, CutBadProtocol,
		"javascript:alert(1)", "alert(1)", "java\tscript : x", "x", "a:b:c", "c", "a:b:c:d:e:f:g", "", "data&colon;x", "x", "data&#x00003A;x", "x",
		"vbscript&#0058;x", "x", "h&#116;tp:x", "http:x", "/a:b", "b", "a/?b:c", "a/?b:c", "&#59;x", "&#59;x", "&amp;x", "&amp;x", "", "")
}

func TestLoneLess(t *testing.T) {
	texttest.CheckPairs(t, Rules{}.LoneLess, "a < b", "a &lt; b", "a <b> c", "a <b> c", "<a <b>", "&lt;a <b>", "a < \"b\"\n", "a &lt; &quot;b&quot;\n", "<", "&lt;", "", "")
}

func TestAmpersands(t *testing.T) {
	texttest.CheckPairs(t, ConvertChars,
		"a & b", "a &#038; b", "&amp; &#38; &", "&amp; &#38; &", "&a; &ab;", "&#038;a; &ab;", "&&&", "&#038;&&")
	texttest.CheckPairs(t, Ampersands,
		"a&b &lt &#38 &#x;", "a&#038;b &#038;lt &#038;#38 &#038;#x;", "&#38; &#x2F; &#X2f; &frac12; &AMP;", "&#38; &#x2F; &#X2f; &frac12; &AMP;",
		"&frac5; &ninechars; &", "&#038;frac5; &#038;ninechars; &#038;")
}

func TestStripSlashes(t *testing.T) {
	texttest.CheckPairs(t, StripSlashes,
		`a\b`, "ab", `\\`, `\`, `\\\\`, `\\`, `a\`, "a", `a\0b`, "a\x00b", "plain", "plain", `\"q\"`, `"q"`)
}
