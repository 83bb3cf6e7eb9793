package wpauth

import (
	"encoding/base64"
	"strings"
)

// ParseBasic returns the credentials of an Authorization header, read as PHP and
// WordPress read it. ok is false, and the request goes on without credentials,
// for another scheme, a text without ":" or an empty password. An empty user with
// a password is an attempt to log in.
//
// The scheme counts in any case. Base64 is read leniently: characters outside its
// alphabet, padding included, are skipped.
func ParseBasic(header string) (user, pass string, ok bool) {
	const scheme = "basic "
	if len(header) < len(scheme) || !strings.EqualFold(header[:len(scheme)], scheme) {
		return "", "", false
	}
	text := decodeBase64(header[len(scheme):])
	// PHP hands the credentials on as C strings, which end at a NUL byte.
	text, _, _ = strings.Cut(text, "\x00")
	user, pass, ok = strings.Cut(text, ":")
	if !ok || pass == "" {
		return "", "", false
	}
	return user, pass, true
}

// decodeBase64 reproduces PHP's base64_decode without its strict flag: unknown characters and "="
// are skipped wherever they stand, and an incomplete last byte is dropped.
func decodeBase64(s string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	s = strings.Map(func(r rune) rune {
		if !strings.ContainsRune(alphabet, r) {
			return -1
		}
		return r
	}, s)
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	text, _ := base64.RawStdEncoding.DecodeString(s) // nothing is left that could be wrong
	return string(text)
}
