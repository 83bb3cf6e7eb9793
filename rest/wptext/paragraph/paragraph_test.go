package paragraph

import (
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
		"<object>\n<param a>\n</object>", "<p><object><param a></object></p>\n",
	)
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
