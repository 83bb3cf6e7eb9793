package wpauth

import (
	"crypto/md5"
	"strings"
)

const (
	phpassAlphabet = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	phpassLength   = 34 // "$P$", cost character, 8 salt characters, 22 digest characters
	phpassSaltEnd  = 12

	// WordPress writes 13 (8192 rounds). The format allows 30, which is minutes
	// of work; 20 is a tenth of a second for a password of usual length and a
	// few seconds for one of 4096 bytes.
	minPHPassCost = 7
	maxPHPassCost = 20
)

// checkPHPass verifies a portable phpass hash.
func checkPHPass(hash, password string) bool {
	if len(hash) != phpassLength {
		return false
	}
	cost := strings.IndexByte(phpassAlphabet, hash[3])
	if cost < minPHPassCost || cost > maxPHPassCost {
		return false
	}
	sum := md5.Sum([]byte(hash[4:phpassSaltEnd] + password))
	message := make([]byte, md5.Size+len(password))
	copy(message[md5.Size:], password)
	for range 1 << cost {
		copy(message, sum[:])
		sum = md5.Sum(message)
	}
	return equal(hash[phpassSaltEnd:], phpassEncode(sum))
}

// phpassEncode writes three bytes, lowest first, as four characters; the last
// single byte becomes two.
func phpassEncode(sum [md5.Size]byte) string {
	out := make([]byte, 0, phpassLength-phpassSaltEnd)
	for i := 0; i < len(sum); i += 3 {
		var v, characters uint32 = uint32(sum[i]), 2
		if i+2 < len(sum) {
			v |= uint32(sum[i+1])<<8 | uint32(sum[i+2])<<16
			characters = 4
		}
		for range characters {
			out = append(out, phpassAlphabet[v&63])
			v >>= 6
		}
	}
	return string(out)
}

// PostPasswordRequired reports whether a visitor still has to give the password of a post.
// postPassword is the column post_password; cookie is the decoded value of the cookie
// [CookieNames].PostPass, "" without one. It must be a phpass hash of 8192 rounds
// ("$P$B…") of the password. Each call with such a cookie costs about a millisecond, so
// a caller with a list should cache the result by pair.
//
// The password parameter of REST endpoints is compared there.
func PostPasswordRequired(postPassword, cookie string) bool {
	if postPassword == "" {
		return false
	}
	return !strings.HasPrefix(cookie, "$P$B") || !checkPHPass(cookie, postPassword)
}
