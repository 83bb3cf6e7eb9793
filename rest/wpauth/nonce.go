package wpauth

import (
	"crypto/hmac"
	"crypto/md5"
	"encoding/hex"
	"strconv"
	"time"
)

// nonceTick is half of a nonce's life of one day.
const nonceTick = 12 * 60 * 60 // seconds

// NonceTick returns the number of the half-day that now lies in, counted up: the
// last second of a half-day belongs to it.
func NonceTick(now time.Time) int64 {
	seconds := now.Unix()
	tick := seconds / nonceTick
	if seconds%nonceTick > 0 {
		tick++
	}
	return tick
}

// Nonce returns the nonce of the action wp_rest: ten hexadecimal digits. uid is the
// current user's ID, 0 without one. token is the third part of the logged_in cookie
// whenever that cookie has four parts, be it valid or not; else "". salt is the secret
// of [SchemeNonce].
func Nonce(tick, uid int64, token, salt string) string {
	mac := hmac.New(md5.New, []byte(salt))
	writeParts(mac, strconv.FormatInt(tick, 10), "wp_rest", strconv.FormatInt(uid, 10), token)
	digits := hex.EncodeToString(mac.Sum(nil))
	return digits[len(digits)-12 : len(digits)-2]
}

// VerifyNonce returns 1 for a nonce of the current half-day, 2 for one of the
// half-day before and 0 for a bad or empty one, or when salt is empty. The other
// parameters are those of [Nonce].
func VerifyNonce(nonce string, now time.Time, uid int64, token, salt string) (age int) {
	if nonce == "" || salt == "" {
		return 0
	}
	tick := NonceTick(now)
	switch {
	case equal(nonce, Nonce(tick, uid, token, salt)):
		return 1
	case equal(nonce, Nonce(tick-1, uid, token, salt)):
		return 2
	}
	return 0
}
