package sample

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// slugs are the slugs in use, each prefixed with its scope and a slash.
type slugs map[string]bool

// of returns a slug that is unique in its scope: a type of posts in one language.
func (s slugs) of(scope, title string) string {
	base := slugOf(title)
	slug := base
	for n := 2; s[scope+"/"+slug]; n++ {
		slug = base + "-" + strconv.Itoa(n)
	}
	s[scope+"/"+slug] = true
	return slug
}

// taken reports whether a title's own slug is in use.
func (s slugs) taken(scope, title string) bool { return s[scope+"/"+slugOf(title)] }

func slugOf(title string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(title)) {
		switch {
		case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}
