package wpauth

import (
	"strings"

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
	login = removeReferences(removeEncodedBytes(login))
	return collapseSpace(php.Trim(login))
}

// removeEncodedBytes drops "%" with two hexadecimal digits, in one pass.
func removeEncodedBytes(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && hexDigit(s[i+1]) >= 0 && hexDigit(s[i+2]) >= 0 {
			i += 2
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}

// removeReferences drops "&", at least one character and the next ";", all on one
// line. Whether the text between is a known reference does not matter.
func removeReferences(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	end := -1 // the last ";" or line end looked up; everything before it is known
	for i := 0; i < len(s); i++ {
		if s[i] != '&' {
			out = append(out, s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '\n' {
			out = append(out, '&')
			continue
		}
		if end < i+2 {
			end = nextReferenceEnd(s, i+2)
		}
		if end < len(s) && s[end] == ';' {
			i = end
			continue
		}
		out = append(out, '&')
	}
	return string(out)
}

func nextReferenceEnd(s string, from int) int {
	if from < len(s) {
		if n := strings.IndexAny(s[from:], ";\n"); n >= 0 {
			return from + n
		}
	}
	return len(s)
}

func collapseSpace(s string) string {
	out := make([]byte, 0, len(s))
	blank := false
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '\n', '\v', '\f', '\r':
			if !blank {
				out = append(out, ' ')
			}
			blank = true
		default:
			out = append(out, s[i])
			blank = false
		}
	}
	return string(out)
}
