package typography

import (
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/wpstore/php"
)

// Title turns a stored post title into the title that is shown. A nil locale means English.
func Title(s string, loc *Locale) string {
	return php.Trim(strings.ReplaceAll(escape.ConvertChars(Texturize(s, loc)), misspelt, spelt))
}

const misspelt, spelt = "Wordpress", "WordPress"

// CapitalPContent corrects the spelling of WordPress in content behind a space, a
// tag, an opening quote of the locale or an opening bracket. A nil locale means
// English.
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
