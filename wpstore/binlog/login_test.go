package binlog

import (
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// TestLoginOverTLS uses a real server.
func TestLoginOverTLS(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Close()
	cert := web.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: cert.Certificate[0]}, "key.pem": {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := newServer(t, "--skip-grant-tables=0", "--ssl-cert="+filepath.Join(dir, "cert.pem"), "--ssl-key="+filepath.Join(dir, "key.pem"))
	s.run("CREATE TABLE t (id int PRIMARY KEY)",
		"CREATE USER someone@localhost IDENTIFIED BY 'secret' REQUIRE SSL", "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO someone@localhost")
	cfg := s.cfg.Clone()
	cfg.User, cfg.Passwd = "someone", "secret"
	if _, err := Open(t.Context(), Config{MySQL: cfg}); err == nil {
		t.Error("the account was let in without TLS")
	}
	cfg.TLSConfig = "skip-verify"
	if cfg, err = mysql.ParseDSN(cfg.FormatDSN()); err != nil {
		t.Fatal(err)
	}
	stream, err := Open(t.Context(), Config{MySQL: cfg, Columns: func(*Table) []int { return []int{0} }})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	s.run("INSERT INTO t VALUES (1)")
	if got, _ := transaction(t, stream); got != "insert t [1]" {
		t.Error(got)
	}
}

// TestLoginByEd25519 uses a real server's plugin.
func TestLoginByEd25519(t *testing.T) {
	s := newServer(t, "--skip-grant-tables=0", "--plugin-load-add=auth_ed25519")
	s.run("CREATE USER someone@localhost IDENTIFIED VIA ed25519 USING PASSWORD('secret')", "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO someone@localhost")
	cfg := s.cfg.Clone()
	for password, want := range map[string]bool{"secret": true, "other": false} {
		cfg.User, cfg.Passwd = "someone", password
		stream, err := Open(t.Context(), Config{MySQL: cfg})
		if (err == nil) != want {
			t.Errorf("%q: %v", password, err)
		}
		if err == nil {
			stream.Close()
		}
	}
}
