package changes

import (
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"calbridge/wpstore/journal"
)

// stage is what a token continues.
type stage byte

const (
	// synced: the client has all up to the position.
	synced stage = iota + 1
	// listing: it has the events of the list up to the cursor, and needs the changes since the
	// position.
	listing
	// syncing: of the changes between the position and the end it has those up to the cursor.
	syncing
)

// hash is a fingerprint.
type hash [12]byte

func hashOf(text []byte) (h hash) {
	sum := sha256.Sum256(text)
	copy(h[:], sum[:])
	return h
}

// token is how far a client is, and for whom and what that holds.
type token struct {
	stage stage
	from  journal.Position
	// since is the time whose list the client has, and at, while it is syncing, the time whose
	// list it is getting, both in whole seconds.
	since, at int64
	// end is the position up to which it is syncing, cursor the last id that it has.
	end    journal.Position
	cursor int64
	// args, filter and rights are what the token belongs to, and look describes how the site's
	// settings show events.
	args, filter, rights, look hash
}

// sealer makes tokens opaque: their contents, such as how much changes on the site, are
// nobody's business, and nobody else can make them.
type sealer struct {
	journal string
	aead    cipher.AEAD
}

// newSealer returns that of a journal.
func newSealer(id string, secret []byte) *sealer {
	key := sha256.Sum256(append([]byte("token "), secret...))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // the length of the key is right
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // so is that of the block
	}
	return &sealer{id, aead}
}

// version is the first byte of a token, which isn't sealed. It changes with the layout of tokens, and
// if their fingerprints are made in another way. Tokens of other versions are foreign.
const version = 4

// runSize is the length of the name of a run, and noRun stands for none: all tokens have the
// same length.
const (
	runSize = 16
	noRun   = "----------------"
)

func (s *sealer) seal(t *token) string {
	nonce := make([]byte, s.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	b := []byte{byte(t.stage)}
	b = append(b, t.from.Run...)
	b = append(b, cmp.Or(t.end.Run, noRun)...)
	for _, n := range []int64{t.from.Seq, t.since, t.at, t.end.Seq, t.cursor} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	for _, h := range []hash{t.args, t.filter, t.rights, t.look} {
		b = append(b, h[:]...)
	}
	out := append([]byte{version}, nonce...)
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(out, nonce, b, []byte(s.journal)))
}

// maxToken is the longest token that is looked at.
const maxToken = 1024

// open reads a token. The reason is "" if it is one of this journal.
func (s *sealer) open(text string) (t token, reason string) {
	if len(text) > maxToken {
		return t, reasonMalformed
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) < 1+s.aead.NonceSize() {
		return t, reasonMalformed
	}
	if b[0] != version {
		return t, reasonForeign
	}
	nonce, sealed := b[1:1+s.aead.NonceSize()], b[1+s.aead.NonceSize():]
	if b, err = s.aead.Open(nil, nonce, sealed, []byte(s.journal)); err != nil || len(b) != 1+2*runSize+5*8+4*len(hash{}) {
		return t, reasonForeign
	}
	t.stage, b = stage(b[0]), b[1:]
	t.from.Run, t.end.Run, b = string(b[:runSize]), string(b[runSize:2*runSize]), b[2*runSize:]
	if t.end.Run == noRun {
		t.end.Run = ""
	}
	for _, n := range []*int64{&t.from.Seq, &t.since, &t.at, &t.end.Seq, &t.cursor} {
		*n, b = int64(binary.BigEndian.Uint64(b)), b[8:]
	}
	for _, h := range []*hash{&t.args, &t.filter, &t.rights, &t.look} {
		b = b[copy(h[:], b):]
	}
	return t, ""
}

// syncTo moves a token up to a position, and to the list of a time, in Unix seconds. A sync that
// is under way keeps its end, unless another run began it: what that run recorded last may be
// lost, and its sequence numbers may be those of other changes.
func (t *token) syncTo(end journal.Position, now int64) {
	switch {
	case t.stage == synced:
		t.stage, t.at = syncing, max(t.since, now)
	case t.end.Run == end.Run:
		return
	}
	t.end, t.cursor = end, 0
}

// sinceTime and atTime are the times as such.
func (t *token) sinceTime() time.Time { return time.Unix(t.since, 0) }
func (t *token) atTime() time.Time    { return time.Unix(t.at, 0) }
