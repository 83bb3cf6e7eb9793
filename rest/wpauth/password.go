package wpauth

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"golang.org/x/crypto/bcrypt"
)

const (
	// maxPasswordBytes is WordPress's own limit; longer passwords never match.
	maxPasswordBytes = 4096

	// maxBcryptCost keeps a stored hash from binding a processor for minutes:
	// cost 15 takes about two seconds, PHP's default is 10 (12 since PHP 8.4).
	maxBcryptCost = 15
)

// CheckPassword reports whether password belongs to hash, a value of the column
// user_pass or an application password stored before WordPress 6.8.
//
// Known forms: bare MD5 (32 characters or fewer), "$wp$2y$" (bcrypt over an
// HMAC-SHA384, WordPress 6.8 and later), "$P$" and "$H$" (phpass), and what PHP's
// password_verify reads: bcrypt "$2y$", "$2a$", "$2b$", argon2i and argon2id.
// The older crypt() forms ("$1$", "$5$", "$6$", DES) are refused.
//
// Hashes that ask for excessive work are refused unread: bcrypt above cost 15,
// phpass above 2^20 rounds, argon2 above 256 MiB or 16 passes.
func CheckPassword(hash, password string) bool {
	if len(hash) <= md5.Size*2 {
		sum := md5.Sum([]byte(password))
		return equal(hash, hex.EncodeToString(sum[:]))
	}
	if len(password) > maxPasswordBytes {
		return false
	}
	if inner, ok := strings.CutPrefix(hash, "$wp"); ok {
		mac := hmac.New(sha512.New384, []byte("wp-sha384"))
		mac.Write([]byte(password))
		return passwordVerify(inner, base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	if strings.HasPrefix(hash, "$P$") || strings.HasPrefix(hash, "$H$") {
		return checkPHPass(hash, password)
	}
	return passwordVerify(hash, password)
}

// passwordVerify reproduces PHP's password_verify for bcrypt and argon2.
func passwordVerify(hash, password string) bool {
	if strings.HasPrefix(hash, "$argon2") {
		return checkArgon2(hash, password)
	}
	return checkBcrypt(hash, password)
}

func checkBcrypt(hash, password string) bool {
	const length = 60 // "$2y$10$" + 22 salt + 31 digest characters
	if len(hash) != length || hash[6] != '$' {
		return false
	}
	switch hash[:4] {
	case "$2y$", "$2a$", "$2b$":
	default:
		return false
	}
	tens, units := hash[4]-'0', hash[5]-'0'
	if tens > 9 || units > 9 || tens*10+units > maxBcryptCost {
		return false
	}
	// C implementations stop at a NUL byte, so that a prefix would match.
	if strings.IndexByte(password, 0) >= 0 {
		return false
	}
	return bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
}

// equal compares in time that depends on the lengths only.
func equal(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}
