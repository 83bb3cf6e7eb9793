package sanitize

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/markup"
)

// RemoveAccents reproduces WordPress's remove_accents: it writes Latin letters with
// diacritics, ligatures and a few signs in ASCII, by the conventions of the
// locale. It normalises text to NFC first, as WordPress does with PHP's intl
// extension. Text that isn't valid UTF-8 is Latin 1 to it. Other characters stay.
func (r Rules) RemoveAccents(s string) string {
	switch {
	case markup.IsASCII(s):
		return s
	case !utf8.ValidString(s):
		return latinAccents.Replace(s)
	}
	s = norm.NFC.String(s)
	own := localeAccents[r.Locale]
	if strings.HasPrefix(r.Locale, "de") {
		own = germanAccents
		if r.Traits.Has(trait.TextBefore70) {
			own = pastGermanAccents
		}
	}
	var b strings.Builder
	b.Grow(len(s))
	if r.Locale == "ca" {
		s = strings.ReplaceAll(s, "l·l", "ll")
	}
	for _, c := range s {
		ascii, ok := own[c]
		if !ok {
			ascii, ok = accents[c]
		}
		if ok {
			b.WriteString(ascii)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// localeAccents has what a locale writes differently from all others.
var localeAccents = map[string]map[rune]string{
	"da_DK": accentTable("Aa", "Å", "Ae", "Æ", "Oe", "Ø", "aa", "å", "oe", "ø"),
	"sr_RS": southSlavicAccents,
	"bs_BA": southSlavicAccents,
}

var (
	germanAccents      = accentTable("Ae", "Ä", "Oe", "Ö", "Ue", "Ü", "ae", "ä", "oe", "ö", "ue", "ü", "ss", "ß", "SS", "ẞ")
	pastGermanAccents  = accentTable("Ae", "Ä", "Oe", "Ö", "Ue", "Ü", "ae", "ä", "oe", "ö", "ue", "ü", "ss", "ß")
	southSlavicAccents = accentTable("DJ", "Đ", "dj", "đ")
)

// latinAccents writes letters of Latin 1, and a few of Windows-1252, in ASCII.
var latinAccents = strings.NewReplacer(latinPairs(
	"E", "\x80", "f", "\x83", "S", "\x8a", "OE", "\x8c", "Z", "\x8e", "s", "\x9a", "oe", "\x9c", "z", "\x9e", "Y", "\x9f\xa5\xdd", "c", "\xa2\xe7",
	"u", "\xb5\xf9\xfa\xfb\xfc", "A", "\xc0\xc1\xc2\xc3\xc4\xc5", "AE", "\xc6", "C", "\xc7", "E", "\xc8\xc9\xca\xcb", "I", "\xcc\xcd\xce\xcf",
	"DH", "\xd0", "N", "\xd1", "O", "\xd2\xd3\xd4\xd5\xd6\xd8", "U", "\xd9\xda\xdb\xdc", "TH", "\xde", "ss", "\xdf", "a", "\xe0\xe1\xe2\xe3\xe4\xe5",
	"ae", "\xe6", "e", "\xe8\xe9\xea\xeb", "i", "\xec\xed\xee\xef", "dh", "\xf0", "n", "\xf1", "o", "\xf2\xf3\xf4\xf5\xf6\xf8", "y", "\xfd\xff", "th", "\xfe",
)...)

// latinPairs takes pairs of an ASCII form and all the bytes that have it.
func latinPairs(pairs ...string) (replaced []string) {
	for i := 0; i < len(pairs); i += 2 {
		for _, c := range []byte(pairs[i+1]) {
			replaced = append(replaced, string([]byte{c}), pairs[i])
		}
	}
	return replaced
}

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

// RemoveAccents returns [Rules.RemoveAccents] of the newest release.
func RemoveAccents(s, locale string) string { return Rules{Locale: locale}.RemoveAccents(s) }

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
