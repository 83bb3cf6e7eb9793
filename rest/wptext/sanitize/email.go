package sanitize

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

// Email is WordPress's sanitize_email: it removes the characters that
// an address may not hold. What cannot be an address gives "".
func Email(s string) string {
	const shortest = 6
	if len(s) < shortest {
		return ""
	}
	at := scan.IndexFrom(s, '@', 1)
	if at < 0 {
		return ""
	}
	local := keepBytes(s[:at], func(c byte) bool {
		return scan.IsLetter(c) || scan.IsDigit(c) || strings.IndexByte("!#$%&'*+/=?^_`{|}~.-", c) >= 0
	})
	domain := strings.Trim(removeDotRuns(s[at+1:]), " \t\n\r\x00\v.")
	if local == "" || domain == "" {
		return ""
	}
	labels := strings.Split(domain, ".")
	if len(labels) < 2 {
		return ""
	}
	kept := labels[:0]
	for _, label := range labels {
		label = keepBytes(strings.Trim(label, " \t\n\r\x00\v-"), func(c byte) bool {
			return scan.IsLetter(c) || scan.IsDigit(c) || c == '-'
		})
		if label != "" {
			kept = append(kept, label)
		}
	}
	if len(kept) < 2 {
		return ""
	}
	return local + "@" + strings.Join(kept, ".")
}

// IsEmail reports whether s has the form of an e-mail address by the rules of
// WordPress: [Email] finds nothing to remove.
func IsEmail(s string) bool { return s != "" && Email(s) == s }

func keepBytes(s string, keep func(c byte) bool) string {
	p := scan.Patch{Src: s}
	for i := 0; i < len(s); i++ {
		if !keep(s[i]) {
			p.Replace(i, i+1)
		}
	}
	return p.String()
}

// removeDotRuns removes runs of two and more dots.
func removeDotRuns(s string) string {
	p := scan.Patch{Src: s}
	for i := 0; i < len(s); i++ {
		start := i
		for i < len(s) && s[i] == '.' {
			i++
		}
		if i-start >= 2 {
			p.Replace(start, i)
		}
	}
	return p.String()
}
