package picture

import (
	"crypto/rand"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

const (
	maxStem      = 100 // bytes of a name that come from a URL
	randomLetter = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	randomSize   = 6
)

// Stem returns the part of a file's name that comes from the last part of the URL's path:
// ASCII letters, digits, hyphens, underscores and single dots. What looks like the
// ending of another kind of file is made harmless by an underscore, as web servers may
// go by any ending that a name has. accents removes accents.
func Stem(address string, accents func(string) string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "image"
	}
	name := strings.ToValidUTF8(path.Base(u.Path), "")
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[:i]
	}
	var out strings.Builder
	for _, r := range accents(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.':
			out.WriteRune(r)
		case r == '-' || r == ' ' || r == '+' || r == '\t' || r == '\n' || r == '\r':
			out.WriteByte('-')
		}
		if out.Len() >= maxStem {
			break
		}
	}
	parts := strings.FieldsFunc(hyphens.ReplaceAllString(out.String(), "-"), func(r rune) bool { return r == '.' })
	for i := 1; i < len(parts)-1; i++ { // behind the last one comes the random part
		if !known(parts[i]) {
			parts[i] += "_"
		}
	}
	name = strings.Trim(strings.Join(parts, "."), ".-_")
	if name == "" {
		return "image"
	}
	return name
}

var hyphens = regexp.MustCompile("-+")

func known(extension string) bool {
	for _, list := range extensions {
		if slices.Contains(list, strings.ToLower(extension)) {
			return true
		}
	}
	return false
}

// extension returns the one of the URL if it is right for the format, else the usual.
func extension(format, address string) string {
	if u, err := url.Parse(address); err == nil {
		if e := strings.ToLower(strings.TrimPrefix(path.Ext(u.Path), ".")); slices.Contains(extensions[format], e) {
			return e
		}
	}
	return extensions[format][0]
}

// random makes a name unique and hard to guess.
func random() string {
	var out [randomSize]byte
	for i := 0; i < randomSize; {
		var b [1]byte
		_, _ = rand.Read(b[:]) // never fails
		if int(b[0]) < 4*len(randomLetter) {
			out[i] = randomLetter[int(b[0])%len(randomLetter)]
			i++
		}
	}
	return string(out[:])
}
