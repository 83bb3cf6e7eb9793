package typography

import (
	"cmp"
	"slices"
	"strings"
)

// Locale holds what a WordPress language file says about text: the
// replacements used by [Texturize] and the separators of numbers.
// Quotes and dashes are HTML character references.
type Locale struct {
	// Name is the WordPress locale, such as "de_DE", even where the English strings
	// stand in for it.
	Name string

	OpenDouble, CloseDouble string // double quotation marks
	OpenSingle, CloseSingle string // single quotation marks
	Apostrophe              string
	Prime, DoublePrime      string // minutes and seconds, feet and inches
	EnDash, EmDash          string

	// Words are pairs of a word with straight apostrophes and its replacement,
	// applied in order wherever they occur.
	Words [][2]string
	// PlainWords: some of them have no apostrophe.
	PlainWords bool

	// DecimalPoint and ThousandsSeparator are used when a number is read from
	// or written as text of this locale.
	DecimalPoint, ThousandsSeparator string

	// ExcerptMore follows a generated excerpt that is not all of the text, after a space.
	ExcerptMore string
	// CountsCharacters: the length of an excerpt is in characters instead of words.
	CountsCharacters bool
}

const rightSingle = "&#8217;"

// curlWords pairs each word with itself after its apostrophes became &#8217;.
func curlWords(words ...string) [][2]string {
	pairs := make([][2]string, len(words))
	for i, w := range words {
		pairs[i] = [2]string{w, strings.ReplaceAll(w, "'", rightSingle)}
	}
	return pairs
}

var english = Locale{
	Name:       "en_US",
	OpenDouble: "&#8220;", CloseDouble: "&#8221;",
	OpenSingle: "&#8216;", CloseSingle: "&#8217;",
	Apostrophe: rightSingle,
	Prime:      "&#8242;", DoublePrime: "&#8243;",
	EnDash: "&#8211;", EmDash: "&#8212;",
	Words: curlWords("'tain't", "'twere", "'twas", "'tis", "'twill", "'til", "'bout", "'nuff",
		"'round", "'cause", "'em"),
	DecimalPoint: ".", ThousandsSeparator: ",", ExcerptMore: "[&hellip;]",
}

// continental returns the quotation marks of Czech and German.
func continental(decimalPoint, thousandsSeparator string, words ...string) Locale {
	l := english
	l.Words = curlWords(words...)
	l.OpenDouble, l.CloseDouble = "&#8222;", "&#8220;"
	l.OpenSingle, l.CloseSingle = "&#8218;", "&#8216;"
	l.DecimalPoint, l.ThousandsSeparator = decimalPoint, thousandsSeparator
	return l
}

var (
	czech  = continental(",", " ", "pad'", "nes'", "leh'", "moh'", "řek'", "ved'", "myslej'", "chtěj'", "maj'")
	german = continental(",", ".", "'n", "'s")
)

// LocaleFor returns the strings for wplang, the value of the option WPLANG; empty
// means en_US. An unknown locale gets the English strings, as in WordPress without
// the language file.
func LocaleFor(wplang string) *Locale {
	l := english
	switch wplang {
	case "cs_CZ":
		l = czech
	case "de_DE", "de_DE_formal":
		l = german
	}
	l.Name = cmp.Or(wplang, l.Name)
	return &l
}

// LocaleOf returns the strings of a site whose language packs are known: texts has them by
// the names of package langpack. What it lacks is that of LocaleFor.
func LocaleOf(wplang string, texts map[string]string) *Locale {
	l := LocaleFor(wplang)
	for name, to := range map[string]*string{
		"opening double": &l.OpenDouble, "closing double": &l.CloseDouble, "opening single": &l.OpenSingle, "closing single": &l.CloseSingle,
		"apostrophe": &l.Apostrophe, "prime": &l.Prime, "double prime": &l.DoublePrime, "en dash": &l.EnDash, "em dash": &l.EmDash,
		"decimal point": &l.DecimalPoint, "thousands separator": &l.ThousandsSeparator, "[&hellip;]": &l.ExcerptMore,
	} {
		if text, ok := texts[name]; ok {
			*to = text
		}
	}
	if words, ok := texts["words"]; ok {
		l.Words = pairs(strings.Split(words, ","), strings.Split(texts["replacements"], ","))
		l.PlainWords = slices.ContainsFunc(l.Words, func(pair [2]string) bool { return !strings.Contains(pair[0], "'") })
	}
	if count, ok := texts["word count type"]; ok {
		l.CountsCharacters = strings.HasPrefix(count, "characters")
	}
	return l
}

// pairs joins two lists. Words without a replacement disappear, as in PHP.
func pairs(words, replacements []string) [][2]string {
	var list [][2]string
	for i, word := range words {
		replacement := ""
		if i < len(replacements) {
			replacement = replacements[i]
		}
		if word != "" {
			list = append(list, [2]string{word, replacement})
		}
	}
	return list
}
