package sanitize

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"calbridge/rest/wptext/scan"
)

// RemoveAccents is WordPress's remove_accents: it writes Latin letters with
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
	for i, r := range s {
		if locale == "ca" && r == '·' && i > 0 && s[i-1] == 'l' && strings.HasPrefix(s[i:], "·l") {
			continue // l·l is ll in Catalan
		}
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

// accents maps a character to its ASCII form.
var accents = accentTable(
	"", "£",
	"a", "ªàáâãäåāăąǎɑạảấầẩẫậắằẳẵặ",
	"o", "ºòóôõöøōŏőơǒọỏốồổỗộớờởỡợ",
	"A", "ÀÁÂÃÄÅĀĂĄǍẠẢẤẦẨẪẬẮẰẲẴẶÅ",
	"AE", "Æ",
	"C", "ÇĆĈĊČ",
	"E", "ÈÉÊËĒĔĖĘĚƏẸẺẼẾỀỂỄỆ€",
	"I", "ÌÍÎÏĨĪĬĮİǏỈỊ",
	"D", "ÐĎĐ",
	"N", "ÑŃŅŇŊ",
	"O", "ÒÓÔÕÖØŌŎŐƠǑỌỎỐỒỔỖỘỚỜỞỠỢ",
	"U", "ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛỤỦỨỪỬỮỰ",
	"Y", "ÝŶŸỲỴỶỸ",
	"TH", "Þ",
	"s", "ßśŝşšſș",
	"ae", "æ",
	"c", "çćĉċč",
	"e", "èéêëēĕėęěǝẹẻẽếềểễệ",
	"i", "ìíîïĩīĭįıǐỉị",
	"d", "ðďđ",
	"n", "ñńņňŉŋ",
	"u", "ùúûüũūŭůűųưǔǖǘǚǜụủứừửữự",
	"y", "ýÿŷỳỵỷỹ",
	"th", "þ",
	"G", "ĜĞĠĢ",
	"g", "ĝğġģ",
	"H", "ĤĦ",
	"h", "ĥħ",
	"IJ", "Ĳ",
	"ij", "ĳ",
	"J", "Ĵ",
	"j", "ĵ",
	"K", "Ķ",
	"k", "ķĸ",
	"L", "ĹĻĽĿŁ",
	"l", "ĺļľŀł",
	"OE", "Œ",
	"oe", "œ",
	"R", "ŔŖŘ",
	"r", "ŕŗř",
	"S", "ŚŜŞŠȘ",
	"T", "ŢŤŦȚ",
	"t", "ţťŧț",
	"W", "Ŵ",
	"w", "ŵ",
	"Z", "ŹŻŽ",
	"z", "źżž",
)

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
