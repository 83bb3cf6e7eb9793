package sanitize

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

// accented has the characters that WordPress writes in ASCII, by their ASCII form.
var accented = [][2]string{
	{"", "£"}, {"AE", "Æ"}, {"ae", "æ"}, {"OE", "Œ"}, {"oe", "œ"}, {"IJ", "Ĳ"}, {"ij", "ĳ"}, {"TH", "Þ"}, {"th", "þ"},
	{"A", "ÀÁÂÃÄÅĀĂĄǍẠẢẤẦẨẪẬẮẰẲẴẶ"}, {"a", "ªàáâãäåāăąǎɑạảấầẩẫậắằẳẵặ"},
	{"C", "ÇĆĈĊČ"}, {"c", "çćĉċč"},
	{"D", "ÐĎĐ"}, {"d", "ðďđ"},
	{"E", "ÈÉÊËĒĔĖĘĚƏẸẺẼẾỀỂỄỆ€"}, {"e", "èéêëēĕėęěǝẹẻẽếềểễệ"},
	{"G", "ĜĞĠĢ"}, {"g", "ĝğġģ"},
	{"H", "ĤĦ"}, {"h", "ĥħ"},
	{"I", "ÌÍÎÏĨĪĬĮİǏỈỊ"}, {"i", "ìíîïĩīĭįıǐỉị"},
	{"J", "Ĵ"}, {"j", "ĵ"}, {"K", "Ķ"}, {"k", "ķĸ"},
	{"L", "ĹĻĽĿŁ"}, {"l", "ĺļľŀł"},
	{"N", "ÑŃŅŇŊ"}, {"n", "ñńņňŉŋ"},
	{"O", "ÒÓÔÕÖØŌŎŐƠǑỌỎỐỒỔỖỘỚỜỞỠỢ"}, {"o", "ºòóôõöøōŏőơǒọỏốồổỗộớờởỡợ"},
	{"R", "ŔŖŘ"}, {"r", "ŕŗř"},
	{"S", "ŚŜŞŠȘ"}, {"s", "ßśŝşšſș"},
	{"T", "ŢŤŦȚ"}, {"t", "ţťŧț"},
	{"U", "ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛỤỦỨỪỬỮỰ"}, {"u", "ùúûüũūŭůűųưǔǖǘǚǜụủứừửữự"},
	{"W", "Ŵ"}, {"w", "ŵ"}, {"Y", "ÝŶŸỲỴỶỸ"}, {"y", "ýÿŷỳỵỷỹ"},
	{"Z", "ŹŻŽ"}, {"z", "źżž"},
}

// TestAccents tries every character of the Latin blocks and their neighbours.
func TestAccents(t *testing.T) {
	want := map[rune]string{'\u212b': "A"} // the sign Ångström is Å in NFC
	for _, row := range accented {
		for _, r := range row[1] {
			want[r] = row[0]
		}
	}
	for r := rune(0xA0); r < 0x2200; r++ {
		ascii, known := want[r]
		if got := RemoveAccents(string(r), ""); known && got != ascii {
			t.Errorf("%c: %q, want %q", r, got, ascii)
		} else if !known && strings.IndexFunc(got, func(c rune) bool { return c >= 0x80 }) < 0 && r < 0x2000 && r != 0x37E && r != 0x1FEF {
			t.Errorf("%c (%U) became %q", r, r, got)
		}
	}
}

// TestLocaleAccents: what a locale writes in its own way.
func TestLocaleAccents(t *testing.T) {
	for locales, pairs := range map[string][]string{
		"de_DE de_DE_formal de_CH de_CH_informal de_AT": {"Äpfel", "Aepfel", "Öl", "Oel", "Über", "Ueber", "äöü", "aeoeue", "ß", "ss", "ẞ", "SS", "Åé", "Ae", "qÄ", "qAe"},
		"da_DK":       {"Åå", "Aaaa", "Ææ", "Aeae", "Øø", "Oeoe", "Ä", "A", "qÅ", "qAa"},
		"sr_RS bs_BA": {"Đđ", "DJdj", "Š", "S", "qĐ", "qDJ"},
		"ca":          {"col·lega", "collega", "a·l l·a ·l", "a·l l·a ·l", "l·l·l", "ll·l"},
		"en_US nl_NL": {"ÄÖÜäöüß", "AOUaous", "ÅØÆ", "AOAE", "Đđ", "Dd", "l·l", "l·l", "ẞ", "ẞ"},
	} {
		for locale := range strings.FieldsSeq(locales) {
			texttest.CheckPairs(t, func(s string) string { return RemoveAccents(s, locale) }, pairs...)
		}
	}
}

func TestRemoveAccentsOfOtherText(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return RemoveAccents(s, "") },
		"", "", "plain", "plain", "e\u0301", "e", "qé", "qe", "Жук ½ ﬁ", "Жук ½ ﬁ", "é\xff", "A\xa9y", "\x8c\xd7\xdf", "OE\xd7ss")
}

// TestRecordedAccents compares with what was probed on WordPress.
func TestRecordedAccents(t *testing.T) {
	var probed struct {
		Map     map[string]string
		Locales map[string]map[string]string `json:"locale_overrides"`
	}
	texttest.ReadJSON(t, &probed, "spec", "rendering-data", "remove_accents.json")
	for in, want := range probed.Map {
		if got := RemoveAccents(in, ""); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for locale, own := range probed.Locales {
		for in, want := range own {
			if got := RemoveAccents(in, locale); got != want {
				t.Errorf("%s in %s: %q, want %q", in, locale, got, want)
			}
		}
	}
}
