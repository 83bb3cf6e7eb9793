package sanitize

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"calbridge/rest/wptext/scan"
)

// RemoveAccents reproduces WordPress's remove_accents: it writes Latin letters with
// diacritics, ligatures and a few signs in ASCII, by the conventions of the
// locale. It normalises text to NFC first, as WordPress does with PHP's intl
// extension. Other characters stay, and so does text that isn't valid UTF-8.
func RemoveAccents(s, locale string) string {
	if scan.IsASCII(s) || !utf8.ValidString(s) {
		return s
	}
	s = norm.NFC.String(s)
	own := localeAccents[locale]
	var b strings.Builder
	b.Grow(len(s))
	if locale == "ca" {
		s = strings.ReplaceAll(s, "l·l", "ll")
	}
	for _, r := range s {
		ascii, ok := own[r]
		if !ok {
			ascii, ok = accents[r]
		}
		if ok {
			b.WriteString(ascii)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// localeAccents has what a locale writes differently from all others.
var localeAccents = map[string]map[rune]string{
	"de_DE":          germanAccents,
	"de_DE_formal":   germanAccents,
	"de_CH":          germanAccents,
	"de_CH_informal": germanAccents,
	"de_AT":          germanAccents,
	"da_DK":          accentTable("Aa", "Å", "Ae", "Æ", "Oe", "Ø", "aa", "å", "oe", "ø"),
	"sr_RS":          southSlavicAccents,
	"bs_BA":          southSlavicAccents,
}

var (
	germanAccents      = accentTable("Ae", "Ä", "Oe", "Ö", "Ue", "Ü", "ae", "ä", "oe", "ö", "ue", "ü", "ss", "ß", "SS", "ẞ")
	southSlavicAccents = accentTable("DJ", "Đ", "dj", "đ")
)

// accents maps a character to its ASCII form: accented letters by their decomposition
// in Unicode, and what has none.
var accents = func() map[rune]string {
	table := accentTable(
		"", "£", "a", "ªɑ", "o", "ºø", "AE", "Æ", "D", "ÐĐ", "O", "Ø", "TH", "Þ", "s", "ßſ", "ae", "æ", "d", "ðđ",
		"th", "þ", "H", "Ħ", "h", "ħ", "i", "ı", "IJ", "Ĳ", "ij", "ĳ", "k", "ĸ", "L", "ĿŁ", "l", "ŀł", "n", "ŉŋ", "N", "Ŋ",
		"OE", "Œ", "oe", "œ", "T", "Ŧ", "t", "ŧ", "E", "Ə€", "e", "ǝ",
	)
	for _, block := range [...][2]rune{{'À', 'ǜ'}, {'Ș', 'ț'}, {'Ạ', 'ỹ'}} {
		for r := block[0]; r <= block[1]; r++ {
			if base := norm.NFD.String(string(r))[:1]; base[0] < utf8.RuneSelf {
				table[r] = base
			}
		}
	}
	return table
}()

// accentTable takes pairs of an ASCII form and all the characters that have it.
func accentTable(pairs ...string) map[rune]string {
	table := make(map[rune]string)
	for i := 0; i < len(pairs); i += 2 {
		for _, r := range pairs[i+1] {
			table[r] = pairs[i]
		}
	}
	return table
}
