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

// TestLocales: the quotation marks and dashes of each language.
func TestLocales(t *testing.T) {
	for _, tt := range []struct{ locales, name, single, double, point, separator string }{
		{"en_US fr_FR xx", "en_US", "&#8216;a&#8217;", "&#8220;a&#8221;", ".", ","},
		{"cs_CZ", "", "&#8218;a&#8216;", "&#8222;a&#8220;", ",", " "},
		{"de_DE de_DE_formal", "", "&#8218;a&#8216;", "&#8222;a&#8220;", ",", "."},
	} {
		for name := range strings.FieldsSeq(tt.locales) {
			l := LocaleFor(name)
			if l.Name != name || l.DecimalPoint != tt.point || l.ThousandsSeparator != tt.separator {
				t.Errorf("%s: %+v", name, l)
			}
			texttest.CheckPairs(t, func(s string) string { return Texturize(s, l) },
				"'a'", tt.single, `"a"`, tt.double, "a'b", "a&#8217;b", `5' 6"`, "5&#8242; 6&#8243;", "a - b", "a &#8211; b", "a---b", "a&#8212;b")
		}
	}
	if name := LocaleFor("").Name; name != "en_US" {
		t.Errorf("empty: %q", name)
	}
}

// TestWords: words of a locale whose apostrophe would be a quotation mark by the other
// rules.
func TestWords(t *testing.T) {
	for locale, words := range map[string][]string{
		"":      {"'tain't", "'twere", "'twas", "'tis", "'twill", "'til", "'bout", "'nuff", "'round", "'cause", "'em"},
		"cs_CZ": {"pad'", "nes'", "leh'", "moh'", "řek'", "ved'", "myslej'", "chtěj'", "maj'"},
		"de_DE": {"'n", "'s"},
	} {
		for _, word := range words {
			want := strings.ReplaceAll(word, "'", "&#8217;")
			texttest.CheckPairs(t, func(s string) string { return Texturize(s, LocaleFor(locale)) }, "so "+word+" it", "so "+want+" it")
		}
	}
	texttest.CheckPairs(t, func(s string) string { return Texturize(s, nil) }, "so 'Twas it", "so &#8216;Twas it")
}

// TestSmileyTable checks the smilies of WordPress by their emoji.
func TestSmileyTable(t *testing.T) {
	for emoji, texts := range map[string]string{
		"🙂": ":) :-) :smile:", "🙁": ":( :-( :sad:", "😉": ";) ;-) :wink:", "😐": ":| :-| :neutral:", "😡": ":x :-x :mad:",
		"😮": ":o :-o :eek:", "😛": ":P :-P :razz:", "😀": ":D :-D :grin:", "😕": ":? :-? :???:", "😎": "8-) :cool:", "😯": "8O 8-O :shock:",
		"😈": ":twisted:", "🙄": ":roll:", "😳": ":oops:", "😆": ":lol:", "💡": ":idea:", "👿": ":evil:", "😥": ":cry:", "➡": ":arrow:",
		"❓": ":?:", "❗": ":!:",
	} {
		for text := range strings.FieldsSeq(texts) {
			texttest.CheckPairs(t, func(s string) string { return Smilies(s, "", false) }, text, emoji, "a "+text+"\n", "a "+emoji+"\n", "a"+text, "a"+text, text+"a", text+"a")
		}
	}
}

// TestSmileyElements: the text of these elements stays, up to their own closing tag.
func TestSmileyElements(t *testing.T) {
	for _, name := range []string{"code", "pre", "style", "script", "textarea"} {
		texttest.CheckPairs(t, func(s string) string { return Smilies(s, "", false) },
			"<"+name+" a>:)<b>:)</b></"+name+">:)", "<"+name+" a>:)<b>:)</b></"+name+">🙂")
	}
	texttest.CheckPairs(t, func(s string) string { return Smilies(s, "", false) }, "<b>:)</b> a < :) b", "<b>🙂</b> a < 🙂 b",
		"a < b :)\n<i>:)</i>", "a < b :)\n<i>🙂</i>")
	// Before WordPress 6.8 a line break ends the search for the end of a tag.
	texttest.CheckPairs(t, func(s string) string { return Smilies(s, "", true) },
		"a < b :)\n<i>:)</i>", "a < b 🙂\n<i>🙂</i>", "<a\n:)\nb> :)", "<a\n🙂\nb> 🙂", "<b title=':) '>:)</b> < :)", "<b title=':) '>🙂</b> < 🙂")
}

// TestUntouchedElements: typography leaves the text of these elements alone.
func TestUntouchedElements(t *testing.T) {
	for _, name := range []string{"pre", "code", "kbd", "style", "script", "tt"} {
		in := "<" + name + " a='1'>'x'<b>'y'</b></" + name + ">'z'"
		texttest.CheckPairs(t, func(s string) string { return Texturize(s, nil) }, in, strings.Replace(in, "'z'", "&#8216;z&#8217;", 1))
	}
	texttest.CheckPairs(t, func(s string) string { return Texturize(s, nil) },
		"<tt><pre>'a'</tt>'b'</pre>'c'", "<tt><pre>'a'</tt>'b'</pre>'c'", "</pre>'a'", "</pre>&#8216;a&#8217;", "<q>'a'</q>", "<q>&#8216;a&#8217;</q>")
}

// TestPrimes: which quotes behind digits close a quotation.
func TestPrimes(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return Texturize(s, nil) },
		`a "b 5" c`, "a &#8220;b 5&#8221; c", `a "b 5" c" d`, "a &#8220;b 5&#8243; c&#8221; d", `a "b 5" 6" c`, "a &#8220;b 5&#8243; 6&#8221; c",
		`a "b 5". 6" c`, "a &#8220;b 5&#8221;. 6&#8243; c", `5" b`, "5&#8243; b", `b" c`, "b&#8221; c", `"b5"x`, "&#8220;b5&#8243;x",
		"a 'b 5' c", "a &#8216;b 5&#8217; c", "5'6", "5&#8217;6", "a ' b", "a &#8216; b", `a " b`, "a &#8221; b",
		`("a") [“b”] {"c"} -"d"`, "(&#8220;a&#8221;) [“b”] {&#8220;c&#8221;} -&#8220;d&#8221;", `&lt;"a"&gt;`, "&lt;&#8220;a&#8221;&gt;",
		"&lt;'a'&gt;", "&lt;&#8216;a&#8217;&gt;", "'99 '99.5 '99' '99\"", "&#8217;99 &#8216;99.5 &#8217;99&#8217; &#8217;99&#8221;")
}

func TestSmiliesAndSpelling(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return Smilies(s, "https://a.example", false) },
		":) :-( x:) :)x", "🙂 🙁 x:) :)x",
		"<b>:D</b>&nbsp;;)&nbsp;", "<b>😀</b>&nbsp;😉&nbsp;",
		"<code :o>:o</code> :o <preface>:o</pre>", "<code :o>:o</code> 😮 <preface>:o</pre>",
		":?\n:?:\n8)", "😕\n❓\n8)",
		":mrgreen:", `<img src="https://a.example/wp-includes/images/smilies/mrgreen.png" alt=":mrgreen:" class="wp-smiley" style="height: 1em; max-height: 1em;" />`,
	)
	texttest.CheckPairs(t, func(s string) string { return Title(s, nil) }, "Wordpress xWordpress wordpress", "WordPress xWordPress wordpress")
	texttest.CheckPairs(t, func(s string) string { return CapitalPContent(s, nil) },
		"Wordpress Wordpress (Wordpress >Wordpress &#8220;Wordpress &#8216;Wordpress xWordpress",
		"Wordpress WordPress (WordPress >WordPress &#8220;WordPress &#8216;WordPress xWordpress", "plain", "plain")
	texttest.CheckPairs(t, func(s string) string { return CapitalPContent(s, LocaleFor("cs_CZ")) },
		"&#8222;Wordpress &#8220;Wordpress", "&#8222;WordPress &#8220;Wordpress")
}

func TestTitle(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return Title(s, nil) },
		"  Wordpress & \"friends\" \n", "WordPress &#038; &#8220;friends&#8221;",
		"a &b", "a &#038;b", "[audio] 'x'", "[audio] &#8216;x&#8217;")
}

// TestLocaleOf: a site's texts replace those of its locale.
func TestLocaleOf(t *testing.T) {
	french := LocaleOf("fr_CA", map[string]string{
		"opening double": "&laquo;&nbsp;", "closing double": "&nbsp;&raquo;", "opening single": "&lsquo;", "closing single": "&rsquo;",
		"apostrophe": "&rsquo;", "prime": "&prime;", "double prime": "&Prime;", "en dash": "&ndash;", "em dash": "&mdash;",
	})
	texttest.CheckPairs(t, func(s string) string { return Texturize(s, french) },
		`"a" 'b' c'd`, "&laquo;&nbsp;a&nbsp;&raquo; &lsquo;b&rsquo; c&rsquo;d", `5' 6"`, "5&prime; 6&Prime;", "a - b---c", "a &ndash; b&mdash;c",
		"'tis", "&#8217;tis")
	hebrew := LocaleOf("he_IL", map[string]string{
		"opening double": "&quot;", "closing double": "&quot;", "opening single": "'", "closing single": "'", "apostrophe": "'", "prime": "'", "double prime": "&quot;",
	})
	texttest.CheckPairs(t, func(s string) string { return Texturize(s, hebrew) },
		`"a" 'b' c'd '99' 6" '4'`, "&quot;a&quot; 'b' c'd '99' 6&quot; '4'", "''a``", "&quot;a&quot;")
	own := LocaleOf("de_DE", map[string]string{
		"words": "'ne,etc,'nem,gone", "replacements": "&#8217;ne,usw.,&#8217;nem", "decimal point": "·", "thousands separator": "_",
		"[&hellip;]": "(mehr)", "word count type": "characters_excluding_spaces",
	})
	texttest.CheckPairs(t, func(s string) string { return Texturize(s, own) }, "a 'ne etc 'tis gone", "a &#8217;ne usw. &#8218;tis ", `"x"`, "&#8222;x&#8220;")
	if own.DecimalPoint != "·" || own.ThousandsSeparator != "_" || own.ExcerptMore != "(mehr)" || !own.CountsCharacters || own.Name != "de_DE" {
		t.Errorf("%+v", own)
	}
	if plain := LocaleOf("", map[string]string{"words": "", "word count type": "words"}); plain.CountsCharacters || plain.PlainWords || len(plain.Words) != 0 {
		t.Errorf("no words: %+v", plain)
	}
}
