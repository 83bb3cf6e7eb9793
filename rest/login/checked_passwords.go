package login

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/maypok86/otter/v2"

	"calbridge/rest/wpauth"
	"calbridge/wpstore/php"
)

const (
	// checkedFor limits how long a successful check of a password is cached. Hashes of WordPress before
	// 6.8 take about a millisecond to check.
	checkedFor = time.Second
	// maxChecked bounds the cache.
	maxChecked = 10000
)

// checkedPasswords caches which of a user's application passwords a client has sent. An entry
// belongs to the stored hashes, so that it ends with any change of them. It never holds a password,
// and failures are not cached.
type checkedPasswords struct {
	now     func() time.Time // the real clock
	seed    [sha256.Size]byte
	matches *otter.Cache[[sha256.Size]byte, match]
}

// match is the key of the application password that fits, until a time.
type match struct {
	key   php.Key
	until time.Time
}

func newCheckedPasswords(now func() time.Time) *checkedPasswords {
	c := &checkedPasswords{now: now, matches: otter.Must(&otter.Options[[sha256.Size]byte, match]{MaximumSize: maxChecked})}
	_, _ = rand.Read(c.seed[:]) // never fails
	return c
}

// match returns the key of the first application password of a user that fits. stored is the text
// of items in the database.
func (c *checkedPasswords) match(stored string, items php.Value, password string) (php.Key, bool) {
	mac := hmac.New(sha256.New, c.seed[:])
	length := binary.BigEndian.AppendUint64(nil, uint64(len(stored)))
	for _, part := range [][]byte{length, []byte(stored), []byte(password)} {
		_, _ = mac.Write(part) // never fails
	}
	id := [sha256.Size]byte(mac.Sum(nil))
	now := c.now()
	if found, ok := c.matches.GetIfPresent(id); ok && now.Before(found.until) {
		return found.key, true
	}
	key, _, ok := wpauth.MatchApplicationPassword(items, password)
	if ok {
		c.matches.Set(id, match{key, now.Add(checkedFor)})
	}
	return key, ok
}
