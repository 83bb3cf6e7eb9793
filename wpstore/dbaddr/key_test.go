package dbaddr

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServerKey: the file with the key of the server is named by the DSN.
func TestServerKey(t *testing.T) {
	dir := t.TempDir()
	write := func(name, kind string, data []byte) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		write("right.pem", "PUBLIC KEY", public):    "",
		write("a b&c.pem", "PUBLIC KEY", public):    "no such file", // & ends the parameter
		write("other.pem", "CERTIFICATE", public):   "no PEM block PUBLIC KEY",
		write("wrong.pem", "PUBLIC KEY", []byte{1}): "asn1",
		filepath.Join(dir, "missing.pem"):           "no such file",
	} {
		cfg, err := ParseServer("site:secret@tcp(db:3306)/calendar?serverPubKey=" + file + "&timeout=3s")
		switch {
		case want == "" && (err != nil || cfg.ServerPubKey != file || cfg.Timeout.Seconds() != 3):
			t.Errorf("%s: %+v, %v", file, cfg, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%s: %v", file, err)
		}
	}
}
