package sanitize

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"calbridge/rest/wptext/scan"
)

// RemoveAccents is WordPress's remove_accents: it writes Latin letters with
// diacritics, ligatures and a few signs in ASCII, with the conventions of the
// WordPress locale given. Text is put into Unicode normalisation form C first,
// as WordPress does where PHP's intl extension is installed. Other characters
// stay, and so does text that is not valid UTF-8.
func RemoveAccents(s, locale string) string {
	if scan.IsASCII(s) || !utf8.ValidString(s) {
		return s
	}
	s = norm.NFC.String(s)
	own := ownAccents(locale)
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
			continue
		}
		if locale == "ca" && r == '·' && i > 0 && s[i-1] == 'l' && strings.HasPrefix(s[i:], "·l") {
			continue // l·l is ll in Catalan
		}
		if ascii, ok := own[r]; ok {
			b.WriteString(ascii)
		} else if ascii, ok := accents[r]; ok {
			b.WriteString(ascii)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ownAccents returns what a locale writes differently from all others.
func ownAccents(locale string) map[rune]string {
	switch locale {
	case "de_DE", "de_DE_formal", "de_CH", "de_CH_informal", "de_AT":
		return germanAccents
	case "da_DK":
		return danishAccents
	case "sr_RS", "bs_BA":
		return southSlavicAccents
	}
	return nil
}

var germanAccents = map[rune]string{
	'Ä': "Ae", 'Ö': "Oe", 'Ü': "Ue", 'ä': "ae", 'ö': "oe", 'ü': "ue", 'ß': "ss", 'ẞ': "SS",
}

var danishAccents = map[rune]string{'Å': "Aa", 'Æ': "Ae", 'Ø': "Oe", 'å': "aa", 'ø': "oe"}

var southSlavicAccents = map[rune]string{'Đ': "DJ", 'đ': "dj"}

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
