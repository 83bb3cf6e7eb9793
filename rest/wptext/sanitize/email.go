package sanitize

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// Email reproduces WordPress's sanitize_email: it removes characters that no address may
// hold. What can't be an address gives "".
func Email(s string) string {
	const shortest = 6
	if len(s) < shortest {
		return ""
	}
	at := strings.IndexByte(s, '@')
	if at <= 0 {
		return ""
	}
	local := keepBytes(s[:at], "!#$%&'*+/=?^_`{|}~.-")
	domain := markup.ReplaceRuns(s[at+1:], 2, "", func(c byte) bool { return c == '.' })
	var labels []string
	for label := range strings.SplitSeq(domain, ".") {
		if label = keepBytes(strings.Trim(label, " \t\n\r\x00\v-"), "-"); label != "" {
			labels = append(labels, label)
		}
	}
	if local == "" || len(labels) < 2 {
		return ""
	}
	return local + "@" + strings.Join(labels, ".")
}

// IsEmail reports whether s is an e-mail address that [Email] leaves unchanged.
func IsEmail(s string) bool { return s != "" && Email(s) == s }

// keepBytes keeps letters, digits and the given signs.
func keepBytes(s, signs string) string {
	return markup.ReplaceRuns(s, 1, "", func(c byte) bool {
		return !markup.IsLetter(c) && !markup.IsDigit(c) && strings.IndexByte(signs, c) < 0
	})
}
