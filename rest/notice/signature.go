package notice

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// MinSecret is the minimal length of a secret in bytes, here and in the plugin.
const MinSecret = 32

// DefaultWindow is the largest allowed difference between the clocks of both sides.
const DefaultWindow = 5 * time.Minute

const (
	timestampHeader = "X-Calbridge-Timestamp"
	nonceHeader     = "X-Calbridge-Nonce"
	signatureHeader = "X-Calbridge-Signature"

	nonceBytes = 16
)

// Purposes are signed too, so that a message is valid at one route only.
const (
	noticeToWordPress = "to-wordpress notice"
	statusOfWordPress = "to-wordpress status"
	noticeToCalbridge = "to-calbridge notice"
)

// Reasons for refusing a message. ErrReplay has status 409, the others 401.
var (
	ErrSignature = errors.New("the signature is wrong: are the secrets the same?")
	ErrClock     = errors.New("the clocks of the two sides differ too much")
	ErrReplay    = errors.New("this message was received before")
)

// checkSecret returns an error that describes what is wrong with a secret.
func checkSecret(secret string) error {
	if len(secret) < MinSecret {
		return fmt.Errorf("the secret of the companion plugin needs at least %d characters; make one with: openssl rand -hex 32", MinSecret)
	}
	return nil
}

func mac(secret, purpose, timestamp, nonce string, body []byte) []byte {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte("calbridge 1\n" + purpose + "\n" + timestamp + "\n" + nonce + "\n"))
	h.Write(body)
	return h.Sum(nil)
}

// sign sets the headers of a message with a fresh nonce.
func sign(header http.Header, secret, purpose string, now time.Time, body []byte) {
	var random [nonceBytes]byte
	_, _ = rand.Read(random[:]) // never fails
	timestamp, nonce := strconv.FormatInt(now.Unix(), 10), hex.EncodeToString(random[:])
	header.Set(timestampHeader, timestamp)
	header.Set(nonceHeader, nonce)
	header.Set(signatureHeader, hex.EncodeToString(mac(secret, purpose, timestamp, nonce, body)))
}

// verify returns the nonce and time of a message that was signed with the secret for this
// purpose, within the window.
func verify(header http.Header, secret, purpose string, now time.Time, window time.Duration, body []byte) (nonce string, signed int64, err error) {
	timestamp, nonce := header.Get(timestampHeader), header.Get(nonceHeader)
	given, err := hex.DecodeString(header.Get(signatureHeader))
	if err != nil || len(nonce) != 2*nonceBytes || len(timestamp) == 0 || len(timestamp) > 12 {
		return "", 0, ErrSignature
	}
	if !hmac.Equal(given, mac(secret, purpose, timestamp, nonce, body)) {
		return "", 0, ErrSignature
	}
	signed, err = strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return "", 0, ErrSignature
	}
	if apart := now.Sub(time.Unix(signed, 0)).Abs(); apart > window {
		return "", 0, fmt.Errorf("%w: by %s", ErrClock, apart.Round(time.Second))
	}
	return nonce, signed, nil
}
