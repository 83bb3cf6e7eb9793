package wptext

import (
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	checkPairs(t, NormalizeEntities,
		"& &amp; &bogus; &eacute; &frac12; &there4;", "&amp; &amp; &amp;bogus; &eacute; &frac12; &there4;",
		"&#39; &#0065; &#8217; &#0; &#65534; &#x0A9; &#xD800; &#12345678; &#000000065;",
		"&#039; &#065; &#8217; &amp;#0; &amp;#65534; &#xA9; &amp;#xD800; &amp;#12345678; &#065;",
		"&amp;amp; &#; &#x; &# &", "&amp;amp; &amp;#; &amp;#x; &amp;# &amp;")
	for _, fn := range []func(string) string{EscHTML, EscAttr} {
		checkPairs(t, fn,
			"plain", "plain", "\xff", "",
			`<a href="x?a&b">it's</a>`, "&lt;a href=&quot;x?a&amp;b&quot;&gt;it&#039;s&lt;/a&gt;",
			"&lt; &quot;", "&lt; &quot;")
	}
	checkPairs(t, EscJS,
		`it's "x" &#39;&#x0027; a\b`, `it\'s &quot;x&quot; \'\' ab`,
		"<p>a\r\nb\x00</p>", `&lt;p&gt;a\nb\0&lt;/p&gt;`, `\0\\`, `\0\\`)
}

func TestEscURL(t *testing.T) {
	display := func(s string) string { return EscURL(s, true) }
	checkPairs(t, display,
		"", "", "  example.org/a b", "http://example.org/a%20b",
		"https://a.example/?a=1&b='x'", "https://a.example/?a=1&#038;b=&#039;x&#039;",
		"/a?b=[1]", "/a?b=%5B1%5D", "http://[::1]:80/[a]", "http://[::1]:80/%5Ba%5D",
		"javascript:alert(1)", "", "jav\tascript:x", "", "ftp://x", "ftp://x", "x;//y", "",
		"#a", "#a", "?a", "?a", "file.php?x", "file.php?x", "http://a/%0D%0%0aa", "http://a/",
		"mailto:a@b.example?subject=x%0Ay", "mailto:a@b.example?subject=x%0Ay",
		"http://a/<\"é\">", "http://a/é", "\"", "")
	checkPairs(t, func(s string) string { return EscURL(s, false) }, "http://a/?b&c='d'", "http://a/?b&c='d'")
}

func TestStripTags(t *testing.T) {
	checkPairs(t, StripTags,
		"a<b>c</b>d", "acd", "1 < 2 > 3", "1 < 2 > 3", "a<b", "a",
		`a<b title=">">c`, "ac", "a<b <c> d>e", "ae", "a<!-- > ' -->b", "ab",
		"a<!doctype 'x>'>b", "ab", "a<?php f('?>'); ?>b", "ab", "a<?xml x?>b", "ab", "a\x00b", "ab", "a > b", "a > b")
	checkPairs(t, StripAllTags,
		" a<SCRIPT x>b</script >c</script>d ", "ad", "<style>a<b>c</b>", "ac", "<script>", "")
	checkPairs(t, func(s string) string { return TrimWords(s, 2, "…") },
		"a\n <b>b</b>", "a b", "a b\tc", "a b…", "", "")
	checkPairs(t, SanitizeTextField,
		" a\n b\t", "a b", "a <b>c</b> < d", "a c &lt; d", "a%20b %2%355x", "ab x", "50% of", "50% of", "\xff", "",
		"a <\n<b>", "a &lt;")
}

func TestSanitizeTitle(t *testing.T) {
	checkPairs(t, func(s string) string { return SanitizeTitle(s, "cs_CZ") },
		"Žižkov – léto / zima", "zizkov-leto-zima", "a%20b % c", "a%20b-c", "x---ab---y", "x%aby",
		"a &amp; b &c\n; d", "a-b-c-d", "5×5 „x“", "5x5-x", "Жук", "%d0%b6%d1%83%d0%ba", "\xff a", "a", "a\n\tb", "ab", "...", "",
		"%e2%80%c2%ad%8bx", "x",
		strings.Repeat("ж", 50), strings.Repeat("%d0%b6", 33))
	checkPairs(t, SanitizeTitleQuery, "Ž – İ", "%c5%be-%e2%80%93-i%cc%87", "A/B&nbsp;C", "abc")
	for _, c := range [][3]string{
		{"de_AT", "Äöß ẞ", "Aeoess SS"}, {"da_DK", "Åø æ", "Aaoe ae"}, {"ca", "col·lega a·l", "collega a·l"},
		{"sr_RS", "Đđ", "DJdj"}, {"", "Äöß ẞ đ", "Aos ẞ d"}, {"", "e\u0301", "e"}, {"", "\xffé", "\xffé"},
	} {
		if got := RemoveAccents(c[1], c[0]); got != c[2] {
			t.Errorf("RemoveAccents(%q, %q) = %q, want %q", c[1], c[0], got, c[2])
		}
	}
}

func TestSanitizeEmail(t *testing.T) {
	checkPairs(t, SanitizeEmail,
		"a b@c..d.example", "ab@cd.example", "a@b", "", "@abc.example", "", "ü@abc.example", "", "x@-a-.b_c.", "x@a.bc",
		"me+you@mail.example", "me+you@mail.example")
	for in, want := range map[string]bool{"me@mail.example": true, "me@mail": false, "m e@mail.example": false, "": false} {
		if IsEmail(in) != want {
			t.Errorf("IsEmail(%q) is not %v", in, want)
		}
	}
}

func TestKses(t *testing.T) {
	checkPairs(t, KsesPost,
		"a & b", "a &amp; b", "a > b", "a &gt; b", "a < b", "a &lt; b", "a < b > c", "a <b> c", "a < 2 > c", "a  c",
		"<p onclick=x CLASS='y' id>a</P>", `<p class="y" id>a</P>`,
		`<a href="x" href="y" data-A_b=1 data-é=2>`, `<a href="x" data-a_b="1">`,
		"<a title=\"&quot;&lt;&apos;é&nbsp;\">", "<a title=\"&quot;&lt;&apos;é\u00a0\">",
		`<img src="a" alt="b>c">`, `<img>c"&gt;`,
		"<br/><hr / ><img src=a/>", `<br /><hr /><img src="a/" />`,
		`<a href="java&#x73;cript:x">`, `<a href="x">`, `<a href="a:b:c:d:e:f:g">`, `<a href="">`,
		`<a href="/?t=10:30">`, `<a href="/?t=10:30">`, `<a download><a download=x>`, `<a download><a>`,
		"<iframe>a</iframe><x-y>b</x-y>", "ab",
		"a<!-- b -- c --->d<!---->", "a<!-- b - c -->d",
		"<!-- > <b>x</b><i>y -->", "<!-- &gt; <b>x</b><i>y -->",
		"<p style='Color:red; color:red;width:calc(1px + (2px)); background:url(\"javascript:x\");height:expression(1)'>",
		`<p style="color:red;width:calc(1px + (2px))">`,
		"<p style='x:y'>", "<p>",
		`<p style="background-image:linear-gradient(rgb(1,2,3),red);cursor:url(a.png);--a-b:var(--c)">`,
		`<p style="background-image:linear-gradient(rgb(1,2,3),red);cursor:url(a.png);--a-b:var(--c)">`,
		`<object data="a.pdf" type="application/pdf">`, "<object>",
		"a\x01\x0b\x1fb\t", "ab\t",
		"</ b></3><!x>", "</ b></3><!x>",
	)
	checkPairs(t, KsesTitle, `<b class=x>a</b><h2>b</h2><a href=y rel=z>c</a>`, `<b>a</b>b<a href="y">c</a>`)
	checkPairs(t, LDExcerptKses, `<b class=x>a</b><p>b</p><a href=y title=z>c</a>`, `<b class="x">a</b>b<a href="y">c</a>`)
	own := NewAllowedHTML("x-a b")
	if got := Kses("<x-a b=c d=e><p>", own); got != `<x-a b="c">` {
		t.Errorf("own list: %q", got)
	}
}

func TestKsesBlocks(t *testing.T) {
	checkPairs(t, KsesPost,
		`<!-- wp:core/x {"a": "b & \u003cc", "n": [1, 2.50, true, null], "o": {"--": "\"\\"}} -->y<!-- /wp:x -->`,
		`<!-- wp:x {"a":"b \u0026amp; \u0026lt;c","n":[1,2.5,true,null],"o":{"\u002d\u002d":"\u0022\\"}} -->y<!-- /wp:x -->`,
		"<!-- wp:a/b --><!-- /wp:a/b --><!-- wp:c {} /--><!-- wp:d -->e",
		"<!-- wp:a/b /--><!-- wp:c /--><!-- wp:d -->e<!-- /wp:d -->",
		"a<!-- /wp:x --><!-- wp:y  -->", "a<!-- /wp:x --><!-- wp:y  -->",
	)
}
