package mysqlwire

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"hash"
)

// sealPassword encrypts the password with the server's key.
func sealPassword(password string, challenge, key []byte) ([]byte, error) {
	block, _ := pem.Decode(key)
	if block == nil || len(challenge) == 0 {
		return nil, errors.New("mysql: the server's public key is malformed")
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("mysql: the server's public key: %w", err)
	}
	public, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return nil, errors.New("mysql: the server's public key is not RSA")
	}
	plain := append([]byte(password), 0)
	for i := range plain {
		plain[i] ^= challenge[i%len(challenge)]
	}
	return rsa.EncryptOAEP(sha1.New(), rand.Reader, public, plain, nil)
}

// scrambleNative is SHA1(password) XOR SHA1(challenge + SHA1(SHA1(password))).
func scrambleNative(challenge []byte, password string) []byte {
	if password == "" {
		return nil
	}
	once := digest(sha1.New(), []byte(password))
	return xor(once, digest(sha1.New(), challenge, digest(sha1.New(), once)))
}

// scrambleSHA2 is SHA256(password) XOR SHA256(SHA256(SHA256(password)) + challenge).
func scrambleSHA2(challenge []byte, password string) []byte {
	if password == "" {
		return nil
	}
	once := digest(sha256.New(), []byte(password))
	return xor(once, digest(sha256.New(), digest(sha256.New(), once), challenge))
}

func digest(h hash.Hash, parts ...[]byte) []byte {
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}

func xor(a, b []byte) []byte {
	for i := range a {
		a[i] ^= b[i]
	}
	return a
}
