package edit

import (
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/sanitize"
)

// termName brings a name into stored form: one line of text without tags, with
// signs that mean something in HTML encoded.
func termName(given string) (string, error) {
	if strings.Trim(given, " \t\n\r\x00\x0b") == "" {
		return "", api.Fail("empty_term_name")
	}
	name := kses.Title(sanitize.TextField(given))
	if name == "" {
		return "", api.Fail("invalid_term_name")
	}
	return name, nil
}
