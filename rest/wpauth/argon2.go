package wpauth

import (
	"crypto/subtle"
	"encoding/base64"
	"regexp"
	"strconv"

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
)

// argon2Form is what PHP's password_hash writes, in version 0x13 of the algorithm: its
// name, KiB, passes, threads, salt and digest. These have at most 128 bytes, in Base64
// without padding.
var argon2Form = regexp.MustCompile(
	`^\$(argon2id?)\$v=19\$m=([1-9]\d{0,8}),t=([1-9]\d{0,8}),p=([1-9]\d{0,8})\$([\w+/-]{1,171})\$([\w+/-]{1,171})$`)

// checkArgon2 verifies a hash of argon2Form.
func checkArgon2(hash, password string) bool {
	parts := argon2Form.FindStringSubmatch(hash)
	if parts == nil {
		return false
	}
	var settings [3]uint32
	for i, limit := range []uint32{maxArgon2KiB, maxArgon2Passes, maxArgon2Threads} {
		n, err := strconv.ParseUint(parts[2+i], 10, 32)
		if err != nil || uint32(n) > limit {
			return false
		}
		settings[i] = uint32(n)
	}
	memory, passes, threads := settings[0], settings[1], settings[2]
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[5])
	digest, digestErr := base64.RawStdEncoding.DecodeString(parts[6])
	if saltErr != nil || digestErr != nil || len(salt) < minArgon2Salt || len(digest) < minArgon2Digest || memory < 8*threads {
		return false
	}
	derive := argon2.IDKey
	if parts[1] == "argon2i" {
		derive = argon2.Key
	}
	key := derive([]byte(password), salt, passes, memory, uint8(threads), uint32(len(digest)))
	return subtle.ConstantTimeCompare(key, digest) == 1
}
