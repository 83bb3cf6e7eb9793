package typography

import (
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/scan"
)

// Title turns a stored post title into the title that is shown: typography,
// lone ampersands and the spelling of WordPress, and no white space around it.
// A nil locale means English.
func Title(s string, loc *Locale) string {
	return scan.Trim(CapitalPTitle(scan.Trim(escape.ConvertChars(Texturize(s, loc)))))
}
