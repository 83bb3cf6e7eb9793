package paragraph

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
	"calbridge/wpstore/php"
)

func TestAutop(t *testing.T) {
	texttest.CheckPairs(t, Autop,
		"", "", " \n\t", "",
		"a", "<p>a</p>\n",
		"a\r\nb\r\rc", "<p>a<br />\nb</p>\n<p>c</p>\n",
		"a  \n b", "<p>a<br />\n b</p>\n",
		"a<br>\nb<br/><br >c", "<p>a<br />\nb</p>\n<p>c</p>\n",
		"<div>a</div>b", "<div>a</div>\n<p>b</p>\n",
		"<div>a\n\nb</div>", "<div>a</p>\n<p>b</p></div>\n",
		"<li>a\n<li>b", "<li>a\n<li>b<br />\n",
		"<blockquote>a</blockquote>", "<blockquote><p>a</p></blockquote>\n",
		"a<hr />b", "<p>a</p>\n<hr />\n<p>b</p>\n",
		"<pre>a\n\nb</pre>c</pre>", "<pre>a\n\nb</pre>\n<p>c</p>\n",
		"<pre>a", "<pre>a</p>\n",
		"<a\nhref=x>y</a>", "<p><a\nhref=x>y</a></p>\n",
		"<script>\na\n</script>", "<p><script>\na\n</script></p>\n",
		"<picture>\n<img>", "<picture>\n<img></p>\n",
		"<select>\n <option>a</option>\n</select>", "<p><select><option>a</option></select></p>\n",
		"[video]\n<source src=a>\n[/video]", "<p>[video]<source src=a>[/video]</p>\n",
		"<figure><img>\n<figcaption>a</figcaption>\n</figure>", "<figure><img><figcaption>a</figcaption></figure>\n",
		"a <br> <br /> b", "<p>a </p>\n<p> b</p>\n", "a<br>b<br />\nc", "<p>a<br />b<br />\nc</p>\n", "a<brx>\nb", "<p>a<brx><br />\nb</p>\n",
		"a\n<ul>\n<li>b\nc</li>\n</ul>", "<p>a</p>\n<ul>\n<li>b<br />\nc</li>\n</ul>\n",
		"<p>a\n</p>", "<p>a</p>\n", "<div>a</address>", "<div>a</address>\n", "<form>a</form>", "<form>a</form>\n",
		"<li>a</li>b", "<li>a</li>\n<p>b</p>\n", "<svg>\n<path>\n</svg>", "<p><svg>\n<path>\n</svg></p>\n", "<math>\na</math>", "<p><math>\na</math></p>\n",
		"<style>\na\n</style>", "<style>\na\n</style>\n", "<hr/>a<hr class=b>c", "<hr/>\n<p>a</p>\n<hr class=b>c</p>\n", "a<br /><div>b</div>", "<p>a</p>\n<div>b</div>\n",
		"<pre>a</pre><pre>b</pre>", "<pre>a</pre>\n<pre>b</pre>\n", "<pre 0></pre>x", "<pre 0></pre>\n<p>x</p>\n",
		"<pre>a</pre><pre 0>", "<pre>a</pre>\n<pre 0>\n", "a<pre>b</pre>c", "<p>a</p>\n<pre>b</pre>\n<p>c</p>\n",
		"<!-- a\nb --> c\nd", "<p><!-- a\nb --> c<br />\nd</p>\n", "a <![CDATA[ b\n\nc ]]>", "<p>a <![CDATA[ b\n\nc ]]></p>\n",
		"<audio>\n<source src=a>\n<track>\n</audio>", "<p><audio><source src=a><track></audio></p>\n",
		"<object>\n<embed a>\n</embed>\n</object>", "<p><object><embed a></embed></object></p>\n",
		"<object a>\n\nx\n\n</object>", "<p><object a>x</object></p>\n", "<audio a>\n\nx<track>y\n\n</audio>", "<p><audio a>x<track>y</audio></p>\n",
		"<figcaption>a</figcaption>", "<figcaption>a</figcaption>\n",
		// marks that WordPress itself puts into the text
		"a <!-- wpnl --> b<!-- wpnl -->c", "<p>a\nb\nc</p>\n", "a<WPPreserveNewline />b", "<p>a\nb</p>\n",
		"<object>\n<param a>\n</object>", "<p><object><param a></object></p>\n",
	)
}

// TestBlockElements: each block element stands outside of paragraphs.
func TestBlockElements(t *testing.T) {
	for name := range strings.FieldsSeq(`address area article aside blockquote caption col colgroup dd details div dl dt
fieldset figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li map menu nav ol p section style
summary table tbody td tfoot th thead tr ul`) {
		in, want := "a<"+name+">b</"+name+">c", "<p>a</p>\n<"+name+">b</"+name+">\n<p>c</p>\n"
		if name == "blockquote" {
			want = "<p>a</p>\n<blockquote><p>b</p></blockquote>\n<p>c</p>\n"
		} else if name == "p" || name == "hr" {
			want = strings.Replace(want, "<"+name+">b", "<"+name+">\n<p>b", 1)
		}
		if name == "p" {
			want = "<p>a</p>\n<p>b</p>\n<p>c</p>\n"
		}
		texttest.CheckPairs(t, Autop, in, want)
	}
	for name := range strings.FieldsSeq("a b span strong em i code video iframe button label q svg main x-y figcaption") {
		texttest.CheckPairs(t, Autop, "a<"+name+">b</"+name+">c", "<p>a<"+name+">b</"+name+">c</p>\n")
	}
	// Where only the beginning of the name counts, these are taken for blocks.
	for name := range strings.FieldsSeq("param picture link thing color tracker divx") {
		texttest.CheckPairs(t, Autop, "<"+name+" x>", "<"+name+" x>\n")
	}
}

func TestShortcodeUnautop(t *testing.T) {
	texttest.CheckPairs(t, ShortcodeUnautop,
		"<p>[gallery]</p>", "[gallery]",
		"<p>&nbsp; [gallery ids='1' /]\n</p>", "[gallery ids='1' /]",
		"<p>[caption]a [b] c[/caption]</p>", "[caption]a [b] c[/caption]",
		"<p>[caption]</p><p>x[/caption]</p>", "[caption]</p><p>x[/caption]",
		"<p>[caption] x</p>", "<p>[caption] x</p>",
		"<p>[gallery-x]</p><p>[unknown]</p>", "<p>[gallery-x]</p><p>[unknown]</p>",
		"<p>[gallery a/b]</p>", "[gallery a/b]",
		"<p>[video]", "<p>[video]", "<p>x[video]</p>", "<p>x[video]</p>", "plain", "plain", "<p>[</p>", "<p>[</p>", "<p>[audio", "<p>[audio",
		"<p>[wp_caption]</p>[/wp_caption]", "[wp_caption][/wp_caption]",
	)
}

func FuzzAutop(f *testing.F) {
	texttest.AddSeeds(f, "<pre>a\n\nb</pre></pre>", "<li>x\n</li>\n<script>\n\n</script>", "<br><br/>a<hr>\r\n<option> <blockquote>")
	f.Fuzz(func(t *testing.T, s string) {
		if out := Autop(s); php.Trim(s) == "" && out != "" {
			t.Errorf("Autop(%q) = %q", s, out)
		}
		ShortcodeUnautop(s)
	})
}
