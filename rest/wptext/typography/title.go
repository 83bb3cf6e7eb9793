package typography

import (
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/wpstore/php"
)

// Title turns a stored post title into the title that is shown: typography,
// lone ampersands and the spelling of WordPress, and no white space around it.
// A nil locale means English.
func Title(s string, loc *Locale) string {
	return php.Trim(CapitalPTitle(php.Trim(escape.ConvertChars(Texturize(s, loc)))))
}

const misspelt, spelt = "Wordpress", "WordPress"

// CapitalPTitle corrects the spelling of WordPress in a title, wherever it
// occurs.
func CapitalPTitle(s string) string { return strings.ReplaceAll(s, misspelt, spelt) }

// CapitalPContent corrects the spelling of WordPress in content, where it
// stands behind a space, a tag, an opening quote of the locale or an opening
// bracket. A nil locale means English.
func CapitalPContent(s string, loc *Locale) string {
	if !strings.Contains(s, misspelt) {
		return s
	}
	if loc == nil {
		loc = &english
	}
	for _, before := range [...]string{" ", "&#8216;", loc.OpenDouble, ">", "("} {
		s = strings.ReplaceAll(s, before+misspelt, before+spelt)
	}
	return s
}
