package wpauth

import (
	"regexp"

	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore/php"
)

// SanitizeLogin cleans a user name as WordPress does before it looks the user up:
// tags and accents go, percent-encoded bytes and character references are
// removed, the ends are trimmed and runs of white space become one blank. locale
// is the site's WordPress locale, which decides how some letters lose their
// accents.
func SanitizeLogin(login, locale string) string {
	login = sanitize.RemoveAccents(sanitize.StripTags(login), locale)
	login = encodedByte.ReplaceAllString(login, "")
	login = reference.ReplaceAllString(login, "")
	return whiteSpace.ReplaceAllString(php.Trim(login), " ")
}

var (
	encodedByte = regexp.MustCompile("%[0-9A-Fa-f]{2}")
	// reference is "&", at least one character and the next ";", all on one line.
	// Whether the text between is a known reference does not matter.
	reference  = regexp.MustCompile("&.+?;")
	whiteSpace = regexp.MustCompile("[ \t-\r]+")
)
