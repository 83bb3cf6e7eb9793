package wpauth

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
)

func md5Hex(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

func sha256Hex(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// phpassHash writes a portable hash with the given first 12 characters, by the
// description of the format instead of our own code.
func phpassHash(setting, password string) string {
	alphabet := "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	cost := 0
	for alphabet[cost] != setting[3] {
		cost++
	}
	h := md5.Sum([]byte(setting[4:12] + password))
	for range 1 << cost {
		h = md5.Sum(append(h[:], password...))
	}
	out := []byte(setting)
	for i := 0; i < 15; i += 3 {
		v := int(h[i]) | int(h[i+1])<<8 | int(h[i+2])<<16
		out = append(out, alphabet[v&63], alphabet[v>>6&63], alphabet[v>>12&63], alphabet[v>>18&63])
	}
	return string(append(out, alphabet[h[15]&63], alphabet[h[15]>>6&63]))
}
