package mysqlwire

import (
	"crypto/sha512"
	"fmt"

	"filippo.io/edwards25519"
)

// signEd25519 is MariaDB's plugin of that name: an Ed25519 signature of the
// challenge (RFC 8032, 5.1.6), with the password itself as the seed. The standard
// library takes seeds of 32 bytes only.
func signEd25519(challenge []byte, password string) ([]byte, error) {
	seed := sha512.Sum512([]byte(password))
	secret, err := edwards25519.NewScalar().SetBytesWithClamping(seed[:32])
	if err != nil {
		return nil, fmt.Errorf("mysql: %w", err)
	}
	public := new(edwards25519.Point).ScalarBaseMult(secret).Bytes()
	nonce, err := edwards25519.NewScalar().SetUniformBytes(digest(sha512.New(), seed[32:], challenge))
	if err != nil {
		return nil, fmt.Errorf("mysql: %w", err)
	}
	commitment := new(edwards25519.Point).ScalarBaseMult(nonce).Bytes()
	k, err := edwards25519.NewScalar().SetUniformBytes(digest(sha512.New(), commitment, public, challenge))
	if err != nil {
		return nil, fmt.Errorf("mysql: %w", err)
	}
	return append(commitment, k.MultiplyAdd(k, secret, nonce).Bytes()...), nil
}
