package wpauth

import (
	"encoding/base64"
	"strings"
	"time"

	"calbridge/wpstore/php"

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
	digest, _ := blake2b.New(fastHashSize, []byte(fastHashKey)) // New accepts this size and key
	digest.Write([]byte(password))
	return fastHashPrefix + base64.RawURLEncoding.EncodeToString(digest.Sum(nil))
}

// CheckApplicationPassword reports whether password, as the client sent it, belongs
// to hash, the "password" of one item of the user meta _application_passwords.
// Everything but ASCII letters and digits is dropped from the password first, so
// the printed groups of four match with blanks or dashes. Items written before
// WordPress 6.8 hold a hash in one of the forms of [CheckPassword].
func CheckApplicationPassword(hash, password string) bool {
	password = cleanApplicationPassword(password)
	if strings.HasPrefix(hash, fastHashPrefix) {
		return equal(hash, FastHash(password))
	}
	return CheckPassword(hash, password)
}

// cleanApplicationPassword drops everything but ASCII letters and digits.
func cleanApplicationPassword(password string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, password)
}

// useInterval is how long WordPress waits before it notes another use.
const useInterval = 24 * time.Hour

// MatchApplicationPassword returns the first of a user's application passwords
// that password fits. items is the unserialized user meta
// _application_passwords; anything but an array holds no passwords.
func MatchApplicationPassword(items php.Value, password string) (key php.Key, item *php.Array, ok bool) {
	list, _ := items.(*php.Array)
	for key, v := range list.All() {
		item, ok := v.(*php.Array)
		if !ok {
			continue
		}
		hash, ok := item.At("password").(string)
		if ok && CheckApplicationPassword(hash, password) {
			return key, item, true
		}
	}
	return php.Key{}, nil, false
}

// RecordUse notes in a copy of items that the one under key was used now from
// the address ip. All other items, their keys and their order stay. due is false,
// and items comes back as it was, when a use was noted within the last 24 hours.
func RecordUse(items *php.Array, key php.Key, now time.Time, ip string) (updated *php.Array, due bool) {
	v, _ := items.Get(key)
	item, ok := v.(*php.Array)
	if !ok || php.ToInt(item.At("last_used")) > now.Unix()-int64(useInterval/time.Second) {
		return items, false
	}
	updated = items.Clone()
	v, _ = updated.Get(key)
	item = v.(*php.Array)
	item.SetString("last_used", now.Unix())
	item.SetString("last_ip", ip)
	return updated, true
}
