package wpauth

import "strings"

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

// decodeBase64 is PHP's base64_decode without its strict flag: unknown characters
// and "=" are skipped wherever they stand, a last incomplete byte is dropped.
func decodeBase64(s string) string {
	out := make([]byte, 0, len(s)/4*3+2)
	var bits uint32
	held := 0
	for i := range len(s) {
		v := base64Value(s[i])
		if v < 0 {
			continue
		}
		bits = bits<<6 | uint32(v)
		if held += 6; held >= 8 {
			held -= 8
			out = append(out, byte(bits>>held))
		}
	}
	return string(out)
}

func base64Value(c byte) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}
