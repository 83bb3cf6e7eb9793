package wpauth

import (
	"crypto/subtle"
	"encoding/base64"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"
)

// PHP's defaults are 64 MiB, 4 passes, 1 thread, a salt and a digest of 16 and
// 32 bytes. The limits leave room for stronger settings and none for abuse.
const (
	maxArgon2KiB     = 256 << 10
	maxArgon2Passes  = 16
	maxArgon2Threads = 16
	minArgon2Salt    = 8
	minArgon2Digest  = 4
	maxArgon2Bytes   = 128 // of salt and of digest
)

// checkArgon2 verifies the text form that PHP's password_hash writes:
// "$argon2id$v=19$m=65536,t=4,p=1$<salt>$<digest>", Base64 without padding.
func checkArgon2(hash, password string) bool {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[2] != "v="+strconv.Itoa(argon2.Version) {
		return false
	}
	settings := strings.Split(parts[3], ",")
	if len(settings) != 3 {
		return false
	}
	memory, ok := argon2Setting(settings[0], "m=", maxArgon2KiB)
	if !ok {
		return false
	}
	passes, ok := argon2Setting(settings[1], "t=", maxArgon2Passes)
	if !ok {
		return false
	}
	threads, ok := argon2Setting(settings[2], "p=", maxArgon2Threads)
	if !ok || memory < 8*threads {
		return false
	}
	salt, ok := argon2Bytes(parts[4], minArgon2Salt)
	if !ok {
		return false
	}
	digest, ok := argon2Bytes(parts[5], minArgon2Digest)
	if !ok {
		return false
	}
	derive := argon2.IDKey
	switch parts[1] {
	case "argon2id":
	case "argon2i":
		derive = argon2.Key
	default:
		return false
	}
	key := derive([]byte(password), salt, passes, memory, uint8(threads), uint32(len(digest)))
	return subtle.ConstantTimeCompare(key, digest) == 1
}

// argon2Setting reads "name=1..limit", decimal without sign or leading zero.
func argon2Setting(text, name string, limit uint32) (uint32, bool) {
	digits, ok := strings.CutPrefix(text, name)
	if !ok || digits == "" || digits[0] < '1' || digits[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), err == nil && n <= uint64(limit)
}

func argon2Bytes(text string, least int) ([]byte, bool) {
	if len(text) > base64.RawStdEncoding.EncodedLen(maxArgon2Bytes) || strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	out, err := base64.RawStdEncoding.DecodeString(text)
	return out, err == nil && len(out) >= least
}
