package demo

import (
	"crypto/rand"
	"strings"
)

// newApplicationPassword makes one as WordPress does: 24 letters and digits, shown
// in groups of four.
func newApplicationPassword() string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	var b strings.Builder
	for b.Len() < 24+5 {
		if b.Len()%5 == 4 {
			b.WriteByte(' ')
		}
		var one [1]byte
		_, _ = rand.Read(one[:]) // never fails
		if int(one[0]) < 4*len(letters) {
			b.WriteByte(letters[int(one[0])%len(letters)])
		}
	}
	return b.String()
}
