package binlog

import (
	"path/filepath"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/wptest"
)

// grant lets the account someone read the log.
func (s server) grant() string {
	privilege := "BINLOG MONITOR"
	if wptest.IsMySQL(s.t) {
		privilege = "REPLICATION CLIENT"
	}
	return "GRANT REPLICATION SLAVE, " + privilege + " ON *.* TO someone@localhost"
}

// TestLoginOverTLS uses a real server.
func TestLoginOverTLS(t *testing.T) {
	dir := t.TempDir()
	if err := wptest.WriteCertificate(dir); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, "--skip-grant-tables=0", "--ssl-cert="+filepath.Join(dir, "cert.pem"), "--ssl-key="+filepath.Join(dir, "key.pem"))
	s.run("CREATE TABLE t (id int PRIMARY KEY)",
		"CREATE USER someone@localhost IDENTIFIED BY 'secret' REQUIRE SSL", s.grant())
	cfg := s.cfg.Clone()
	cfg.User, cfg.Passwd = "someone", "secret"
	if _, err := Open(t.Context(), Config{MySQL: cfg}); err == nil {
		t.Error("the account was let in without TLS")
	}
	cfg.TLSConfig = "skip-verify"
	cfg, err := mysql.ParseDSN(cfg.FormatDSN())
	if err != nil {
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
	wptest.ForMariaDB(t, "plugin ed25519")
	s := newServer(t, "--skip-grant-tables=0", "--plugin-load-add=auth_ed25519")
	s.run("CREATE USER someone@localhost IDENTIFIED VIA ed25519 USING PASSWORD('secret')", s.grant())
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
