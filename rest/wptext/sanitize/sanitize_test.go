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
	texttest.CheckPairs(t, StripAllTags,
		" a<SCRIPT x>b</script >c</script>d ", "ad", "<style>a<b>c</b>", "ac", "<script>", "")
	texttest.CheckPairs(t, func(s string) string { return TrimWords(s, 2, "…") },
		"a\n <b>b</b>", "a b", "a b\tc", "a b…", "", "")
	texttest.CheckPairs(t, TextField,
		" a\n b\t", "a b", "a <b>c</b> < d", "a c &lt; d", "a%20b %2%355x", "ab x", "50% of", "50% of", "\xff", "",
		"a <\n<b>", "a &lt;")
}

func TestSanitizeTitle(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return Slug(s, "cs_CZ") },
		"Žižkov – léto / zima", "zizkov-leto-zima", "a%20b % c", "a%20b-c", "x---ab---y", "x%aby",
		"a &amp; b &c\n; d", "a-b-c-d", "5×5 „x“", "5x5-x", "Жук", "%d0%b6%d1%83%d0%ba", "\xff a", "a", "a\n\tb", "ab", "...", "",
		"%e2%80%c2%ad%8bx", "x",
		strings.Repeat("ж", 50), strings.Repeat("%d0%b6", 33))
	texttest.CheckPairs(t, SlugQuery, "Ž – İ", "%c5%be-%e2%80%93-i%cc%87", "A/B&nbsp;C", "abc")
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
	texttest.CheckPairs(t, Email,
		"a b@c..d.example", "ab@cd.example", "a@b", "", "@abc.example", "", "ü@abc.example", "", "x@-a-.b_c.", "x@a.bc",
		"me+you@mail.example", "me+you@mail.example")
	for in, want := range map[string]bool{"me@mail.example": true, "me@mail": false, "m e@mail.example": false, "": false} {
		if IsEmail(in) != want {
			t.Errorf("IsEmail(%q) is not %v", in, want)
		}
	}
}
