package wpauth

import (
	"encoding/base64"
	"strings"

	"golang.org/x/crypto/blake2b"
)

const (
	fastHashPrefix = "$generic$"
	fastHashKey    = "wp_fast_hash_6.8+"
	fastHashSize   = 30
)

// FastHash returns the form in which WordPress 6.8 and later store application
// passwords: "$generic$" and the keyed BLAKE2b of password, 49 characters. It is
// unsalted and quick, fit only for long random secrets. Pass the password without
// the blanks of its printed form. WordPress before 6.8 cannot check such a hash.
func FastHash(password string) string {
	digest, err := blake2b.New(fastHashSize, []byte(fastHashKey))
	if err != nil {
		return "" // impossible: size and key are constants that New accepts
	}
	digest.Write([]byte(password))
	return fastHashPrefix + base64.RawURLEncoding.EncodeToString(digest.Sum(nil))
}

// CheckApplicationPassword says whether password, as the client sent it, belongs
// to hash, the "password" of one item of the user meta _application_passwords.
// Everything but ASCII letters and digits is dropped from the password first, so
// the printed groups of four match with blanks or dashes. Items written before
// WordPress 6.8 hold a hash in one of the forms of [CheckPassword].
func CheckApplicationPassword(hash, password string) bool {
	password = cleanApplicationPassword(password)
	if strings.HasPrefix(hash, fastHashPrefix) {
		computed := FastHash(password)
		return computed != "" && equal(hash, computed)
	}
	return CheckPassword(hash, password)
}

// cleanApplicationPassword keeps ASCII letters and digits.
func cleanApplicationPassword(password string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, password)
}
