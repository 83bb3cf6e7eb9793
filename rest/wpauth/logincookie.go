package wpauth

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strings"
	"time"

	"calbridge/wpstore/php"
)

// postGrace is how much longer a cookie lives for a request sent as POST.
const postGrace = time.Hour

// LoginCookie is the content of a login cookie, decoded but not yet verified. The
// token of the logged_in cookie takes part in nonces even when the cookie is not
// valid.
type LoginCookie struct {
	Login string // user_login as the cookie has it; look the user up by it
	Token string // names the session
	HMAC  string // 64 lower-case hexadecimal digits in a genuine cookie

	expiration string // Unix seconds as sent, since the HMAC covers the text
}

// ParseLoginCookie splits the decoded value of a login cookie,
// "login|expiration|token|hmac". A value with any other number of parts is not a login cookie.
func ParseLoginCookie(value string) (LoginCookie, bool) {
	parts := strings.SplitN(value, "|", 5)
	if len(parts) != 4 {
		return LoginCookie{}, false
	}
	return LoginCookie{Login: parts[0], expiration: parts[1], Token: parts[2], HMAC: parts[3]}, true
}

// Expires returns the last second of the cookie's life, in Unix time. What the
// client sent may be beyond anything that time.Time holds.
func (c LoginCookie) Expires() int64 { return php.ToInt(c.expiration) }

// Verify reports whether the cookie was made by the site for the user and has not
// expired. userPass is the stored hash of the user that c.Login names, salt the
// secret of the cookie's scheme (see [Salt]; an empty one verifies nothing).
// grace is true for a request whose real method is POST, which has an hour more.
//
// A verified cookie still needs a session: see [SessionValid].
func (c LoginCookie) Verify(userPass, salt string, now time.Time, grace bool) bool {
	if salt == "" || c.expiration == "" {
		return false
	}
	limit := now.Unix()
	if grace {
		limit -= int64(postGrace / time.Second)
	}
	if c.Expires() < limit {
		return false
	}
	return equal(c.HMAC, c.sign(userPass, salt))
}

// sign computes the HMAC of a genuine cookie with the same parts.
func (c LoginCookie) sign(userPass, salt string) string {
	inner := hmac.New(md5.New, []byte(salt))
	writeParts(inner, c.Login, passwordFragment(userPass), c.expiration, c.Token)
	key := hex.EncodeToString(inner.Sum(nil))
	outer := hmac.New(sha256.New, []byte(key))
	writeParts(outer, c.Login, c.expiration, c.Token)
	return hex.EncodeToString(outer.Sum(nil))
}

// passwordFragment returns the four characters of the stored hash that tie a
// cookie to the password: of phpass and plain bcrypt the characters 9 to 12, of
// anything else the last four.
func passwordFragment(userPass string) string {
	if strings.HasPrefix(userPass, "$P$") || strings.HasPrefix(userPass, "$2y$") {
		return userPass[min(8, len(userPass)):min(12, len(userPass))]
	}
	return userPass[max(0, len(userPass)-4):]
}

// writeParts writes the parts joined with "|".
func writeParts(h hash.Hash, parts ...string) {
	h.Write([]byte(strings.Join(parts, "|")))
}

// SessionValid reports whether token names a living session in tokens, the
// unserialized user meta session_tokens: a map from the hexadecimal SHA-256 of
// the token to the session's data, or in very old entries to its bare expiration.
func SessionValid(tokens php.Value, token string, now time.Time) bool {
	sessions, ok := tokens.(*php.Array)
	if !ok {
		return false
	}
	sum := sha256.Sum256([]byte(token))
	switch session := sessions.At(hex.EncodeToString(sum[:])).(type) {
	case int64:
		return session >= now.Unix()
	case *php.Array:
		return php.ToInt(session.At("expiration")) >= now.Unix()
	}
	return false
}
