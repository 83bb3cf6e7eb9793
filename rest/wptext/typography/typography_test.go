package typography

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestTexturize(t *testing.T) {
	english := func(s string) string { return Texturize(s, nil) }
	texttest.CheckPairs(t, english,
		"", "",
		"0", "0",
		`Night of the "Long Table"`, "Night of the &#8220;Long Table&#8221;",
		"the '80s, '80' and '80\"", "the &#8217;80s, &#8217;80&#8217; and &#8217;80&#8221;",
		"'80% '80.5 '80,5", "&#8216;80% &#8216;80.5 &#8216;80,5",
		"a '7.5' b", "a &#8216;7.5&#8217; b",
		`7'4" tall`, "7&#8217;4&#8243; tall",
		`"10" 11" 12".`, "&#8220;10&#8221; 11&#8243; 12&#8243;.",
		`x "a 10" 11". b`, "x &#8220;a 10&#8243; 11&#8221;. b",
		"we'll 'til", "we&#8217;ll &#8217;til",
		"a -- b --- c--d - e-f", "a &#8212; b &#8212; c&#8211;d &#8211; e-f",
		"xn--a", "xn--a",
		"2x3 0x3 00x3 2x3s 4x5.6x7", "2&#215;3 0x3 00&#215;3 2x3s 4&#215;5.6&#215;7",
		"1.x5", "1.x5",
		"1x1 2.x5", "1&#215;1 2.&#215;5",
		"wait... (tm) ``q''", "wait&#8230; &#8482; &#8220;q&#8221;",
		"A&B &amp; &#38; &#x26; &x; &toolongname;", "A&#038;B &amp; &#38; &#x26; &x; &#038;toolongname;",
		"<pre title='a&b'>'x' & y</pre> 'z'", "<pre title='a&#038;b'>'x' & y</pre> &#8216;z&#8217;",
		"<pre\nid=a>'x'</pre>", "<pre\nid=a>&#8216;x&#8217;</pre>",
		"<!--> 'a'", "<!--> &#8216;a&#8217;",
		"<!-- 'a' --> 'b'", "<!-- 'a' --> &#8216;b&#8217;",
		"[audio src='a'] [other src='a']", "[audio src='a'] [other src=&#8217;a&#8217;]",
		"[[audio 'x']] [audio <a b='c'> 'd'] [audio <a 'e']",
		"[[audio 'x']] [audio <a b='c'> 'd'] [audio <a 'e']",
	)
	texttest.CheckPairs(t, func(s string) string { return Texturize(s, LocaleFor("de_DE_formal")) },
		`"Auf geht's" - 'n Abend`, "&#8222;Auf geht&#8217;s&#8220; &#8211; &#8217;n Abend")
	texttest.CheckPairs(t, func(s string) string { return Texturize(s, LocaleFor("xx_XX")) }, `"a"`, "&#8220;a&#8221;")
}

func TestTexturizeLeavesPlainTextAlone(t *testing.T) {
	text := "A plain text, with <b>tags</b> and [brackets]; nothing else."
	if n := testing.AllocsPerRun(100, func() { Texturize(text, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { Title(text, nil) }); n != 0 {
		t.Errorf("%v allocations in a title", n)
	}
}

func TestLocaleFor(t *testing.T) {
	for name, want := range map[string][2]string{
		"": {".", ","}, "cs_CZ": {",", " "}, "de_DE": {",", "."}, "de_DE_formal": {",", "."}, "fr_FR": {".", ","},
	} {
		l := LocaleFor(name)
		if got := [2]string{l.DecimalPoint, l.ThousandsSeparator}; got != want {
			t.Errorf("%q: %q", name, got)
		}
		for _, w := range l.Words {
			if !strings.Contains(w[0], "'") || strings.Contains(w[1], "'") {
				t.Errorf("%q: word %q", name, w)
			}
		}
	}
}

func TestSmiliesAndSpelling(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return Smilies(s, "https://a.example") },
		":) :-( x:) :)x", "🙂 🙁 x:) :)x",
		"<b>:D</b>&nbsp;;)&nbsp;", "<b>😀</b>&nbsp;😉&nbsp;",
		"<code :o>:o</code> :o <preface>:o</pre>", "<code :o>:o</code> 😮 <preface>:o</pre>",
		":?\n:?:\n8)", "😕\n❓\n8)",
		":mrgreen:", `<img src="https://a.example/wp-includes/images/smilies/mrgreen.png" alt=":mrgreen:" class="wp-smiley" style="height: 1em; max-height: 1em;" />`,
	)
	texttest.CheckPairs(t, func(s string) string { return Title(s, nil) }, "Wordpress xWordpress wordpress", "WordPress xWordPress wordpress")
	texttest.CheckPairs(t, func(s string) string { return CapitalPContent(s, nil) },
		"Wordpress Wordpress (Wordpress >Wordpress &#8220;Wordpress xWordpress",
		"Wordpress WordPress (WordPress >WordPress &#8220;WordPress xWordpress")
}

func TestTitle(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return Title(s, nil) },
		"  Wordpress & \"friends\" \n", "WordPress &#038; &#8220;friends&#8221;",
		"a &b", "a &#038;b", "[audio] 'x'", "[audio] &#8216;x&#8217;")
}
