package kses

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func post(s string) string      { return Post(s, nil) }
func title(s string) string     { return Title(s, nil) }
func ldExcerpt(s string) string { return LDExcerpt(s, nil) }

func TestKses(t *testing.T) {
	texttest.CheckPairs(t, post,
		"a & b", "a &amp; b", "a > b", "a &gt; b", "a < b", "a &lt; b", "a < b > c", "a <b> c", "a < 2 > c", "a  c",
		"<p onclick=x CLASS='y' id>a</P>", `<p class="y" id>a</P>`,
		`<a href="x" href="y" data-A_b=1 data-é=2>`, `<a href="x" data-a_b="1">`,
		"<a title=\"&quot;&lt;&apos;é&nbsp;\">", "<a title=\"&quot;&lt;&apos;é\u00a0\">",
		`<img src="a" alt="b>c">`, `<img>c"&gt;`,
		`<a title="&amp;&gt;&#039;x">`, `<a title="&amp;&gt;&apos;x">`,
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
	texttest.CheckPairs(t, title, `<b class=x>a</b><h2>b</h2><a href=y rel=z>c</a>`, `<b>a</b>b<a href="y">c</a>`)
	texttest.CheckPairs(t, ldExcerpt, `<b class=x>a</b><p>b</p><a href=y title=z>c</a>`, `<b class="x">a</b>b<a href="y">c</a>`)
	own := newAllowed("x-a b")
	if got := Filter("<x-a b=c d=e><p>", own, nil); got != `<x-a b="c">` {
		t.Errorf("own list: %q", got)
	}
}

// TestComments: comments inside each other lose their delimiters, and a comment of several
// lines ends with its first tag.
func TestComments(t *testing.T) {
	texttest.CheckPairs(t, post,
		"<!-- a > <!-- b --> c -->", "<!-- a &gt;  b --> c --&gt;", "<!-- a ><b>x</b>", "<!-- a &gt;<b>x</b>-->", "<!-- a\nb -->c", "<!-- a\nb -->c",
		"<!--[if x]>a\nb<![endif]-->", "<!--[if x]&gt;-->a\nb", "<!-- > a\n", "<!-- &gt; a-->\n", "<!--\n-->", "<!--\n-->", "<!--><!-- > -->", "<!--&gt; &gt; -->")
	if got, want := Post(strings.Repeat("<!-- >", 500)+"<b>x</b>", nil), "<!-- &gt;"+strings.Repeat(" &gt;", 499)+"<b>x</b>-->"; got != want {
		t.Errorf("500 comments: %.200s", got)
	}
}

// TestNestedBlocks: blocks in the attributes of blocks are filtered to a bounded depth; what
// is deeper is dropped.
func TestNestedBlocks(t *testing.T) {
	for depth, want := range map[int]bool{1: true, 8: true, 9: false, 12: false} {
		text := "deep"
		for range depth {
			text = `<!-- wp:a {"b":` + string(newestBlockEscaper.appendString(nil, text)) + "} /-->"
		}
		if got := Post(text, nil); strings.Contains(got, "deep") != want {
			t.Errorf("%d deep: %.300s", depth, got)
		}
	}
}

func TestKsesBlocks(t *testing.T) {
	texttest.CheckPairs(t, post,
		`<!-- wp:core/x {"a": "b & \u003cc", "n": [1, 2.50, true, null], "o": {"--": "\"\\"}} -->y<!-- /wp:x -->`,
		`<!-- wp:x {"a":"b \u0026amp; \u0026lt;c","n":[1,2.5,true,null],"o":{"\u002d\u002d":"\u0022\u005c"}} -->y<!-- /wp:x -->`,
		"<!-- wp:a/b --><!-- /wp:a/b --><!-- wp:c {} /--><!-- wp:d -->e",
		"<!-- wp:a/b /--><!-- wp:c /--><!-- wp:d -->e<!-- /wp:d -->",
		"a<!-- /wp:x --><!-- wp:y  -->", "a<!-- /wp:x --><!-- wp:y  -->",
	)
}
