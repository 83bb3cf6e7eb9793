package dbaddr

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// keyParameter is the parameter of a DSN that names the file with the server's public key.
var keyParameter = regexp.MustCompile(`[?&]serverPubKey=([^&]*)`)

// withServerKey makes the driver know the key in the file that a DSN names, by which the
// password is encrypted for caching_sha2_password without TLS. The driver looks keys up by
// name in a registry of its own: the name is the file's. A file that has changed is read
// again with the next settings. It returns the DSN with the name escaped, as the driver
// wants it.
func withServerKey(dsn string) (string, error) {
	at := keyParameter.FindStringSubmatchIndex(dsn)
	if at == nil {
		return dsn, nil
	}
	name, err := url.QueryUnescape(dsn[at[2]:at[3]])
	if err != nil {
		return "", fmt.Errorf("serverPubKey: %w", err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("serverPubKey: %w", err)
	}
	key, err := publicKey(data)
	if err != nil {
		return "", fmt.Errorf("serverPubKey: %s: %w", name, err)
	}
	mysql.RegisterServerPubKey(name, key)
	return dsn[:at[2]] + url.QueryEscape(name) + dsn[at[3]:], nil
}

// publicKey reads a server's public_key.pem.
func publicKey(data []byte) (*rsa.PublicKey, error) {
	block, _ := pem.Decode(data)
	if block == nil || !strings.Contains(block.Type, "PUBLIC KEY") {
		return nil, errors.New("no PEM block PUBLIC KEY")
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return nil, errors.New("it is not an RSA key")
	}
	return key, nil
}
