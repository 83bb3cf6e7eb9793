package sanitize

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestStripTags(t *testing.T) {
	texttest.CheckPairs(t, StripTags,
		"a<b>c</b>d", "acd", "1 < 2 > 3", "1 < 2 > 3", "a<b", "a",
		`a<b title=">">c`, "ac", "a<b <c> d>e", "ae", "a<!-- > ' -->b", "ab",
		"a<!doctype 'x>'>b", "ab", "a<?php f('?>'); ?>b", "ab", "a<?xml x?>b", "ab", "a\x00b", "ab", "a > b", "a > b")
	// What php 8.2 makes of these.
	texttest.CheckPairs(t, StripTags,
		"<<!---->a>b", "ab", "<?xml a>b", "", "x<?xml a>b", "xb", "x<?xml a->b>c", "xc", "<?php (?>) ?>b", "b", "<?php '(' ?>b", "b",
		`<?php "?>" ?>b`, "b", `<?php '\'?>' ?>b`, "b", `<!x \">b`, "b", "<!x '>'>b", "b", "a<!-- ' -->b", "ab", "a<!-- -- >b-->c", "ac",
		"a\n<b>c>d", "a\nc>d", `<b \'>c'>d`, "d", "<b a=<c>d>e", "e")
	texttest.CheckPairs(t, StripAllTags,
		" a<SCRIPT x>b</script >c</script>d ", "ad", "<style>a<b>c</b>", "ac", "<script>", "", "<script x", "", "<script>a</style>b</script>c", "c", "<styles>a</style>b", "b")
	texttest.CheckPairs(t, func(s string) string { return TrimCharacters(s, 3, "…") },
		"日本語", "日本語", " 日本\n 語です ", "日本 …", "<b>ab</b>  c", "ab …", "", "", "<b></b>", "")
	texttest.CheckPairs(t, func(s string) string { return TrimWords(s, 2, "…") },
		"a\n <b>b</b>", "a b", "a b\tc", "a b…", "", "", "a\u00a0b c d", "a\u00a0b c…")
	texttest.CheckPairs(t, TextField,
		" a\n b\t", "a b", "a <b>c</b> < d", "a c &lt; d", "a%20b %2%355x", "ab x", "50% of", "50% of", "\xff", "",
		"a <\n<b>", "a &lt;")
}

func TestSlug(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return Slug(s, "cs_CZ") },
		"Žižkov – léto / zima", "zizkov-leto-zima", "a%20b % c", "a%20b-c", "x---ab---y", "x%aby",
		"a &amp; b &c\n; d", "a-b-c-d", "5×5 „x“", "5x5-x", "Жук", "%d0%b6%d1%83%d0%ba", "\xff a", "y-a", "a\n\tb", "ab", "...", "",
		"%e2%80%c2%ad%8bx", "x", "a_b.c--d", "a_b-c-d", "<b>x</b> y", "x-y", "İx", "ix", "A&;b;c", "ac", "&", "",
		strings.Repeat("ж", 50), strings.Repeat("%d0%b6", 33), strings.Repeat("a", 199)+"жb", strings.Repeat("a", 199),
		strings.Repeat("a", 210), strings.Repeat("a", 200))
	texttest.CheckPairs(t, SlugQuery, "Ž – İ", "%c5%be-%e2%80%93-i%cc%87", "A/B&nbsp;C", "abc", "5×5", "5%c3%975")
}

// TestSlugSigns: each sign that slugs treat specially becomes a hyphen, nothing or an x.
func TestSlugSigns(t *testing.T) {
	slug := func(s string) string { return Slug(s, "") }
	for _, sign := range "\u00a0\u2011\u2013\u2014/\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f" {
		texttest.CheckPairs(t, slug, "a"+string(sign)+"b", "a-b")
	}
	for _, reference := range []string{"&nbsp;", "&#8209;", "&#160;", "&ndash;", "&#8211;", "&mdash;", "&#8212;"} {
		texttest.CheckPairs(t, slug, "a"+reference+"b", "a-b")
	}
	for _, sign := range "\u00ad¡¿«»‹›‘’“”‚‛„‟•©®°…™´ˊ\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff\ufffc" {
		texttest.CheckPairs(t, slug, "a"+string(sign)+"b", "ab")
	}
	// Quads, which NFC would replace, and combining accents, which it would join with the
	// letter, reach the slug encoded.
	texttest.CheckPairs(t, slug, "a%e2%80%80b", "a-b", "a%E2%80%81b", "a-b")
	for _, sign := range []string{"%cc%81", "%cd%81", "%cc%80", "%cc%84", "%cc%8c"} {
		texttest.CheckPairs(t, slug, "a"+sign+"b", "ab")
	}
	texttest.CheckPairs(t, slug, "3×4", "3x4", "a•b&hellip;c", "abc", "½†§", "%c2%bd%e2%80%a0%c2%a7")
}

func TestEmail(t *testing.T) {
	texttest.CheckPairs(t, Email, "@a@b.example", "",
		"a b@c..d.example", "ab@cd.example", "a@b", "", "@abc.example", "", "ü@abc.example", "", "x@-a-.b_c.", "x@a.bc",
		"me+you@mail.example", "me+you@mail.example")
	for in, want := range map[string]bool{"me@mail.example": true, "me@mail": false, "m e@mail.example": false, "": false} {
		if IsEmail(in) != want {
			t.Errorf("IsEmail(%q) is not %v", in, want)
		}
	}
}
