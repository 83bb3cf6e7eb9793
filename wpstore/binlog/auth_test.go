package binlog

import (
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

func TestLogin(t *testing.T) {
	cert := certificate(t)
	key := cert.PrivateKey.(*rsa.PrivateKey)
	encrypted := &tls.Config{Certificates: []tls.Certificate{cert}}
	trusting := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(cert.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	trusting.AddCert(parsed)
	for name, test := range map[string]struct {
		server  fake
		network string
		change  func(*mysql.Config)
		refused bool
	}{
		"native":                    {server: fake{plugin: pluginNative}},
		"native, wrong password":    {server: fake{plugin: pluginNative, password: "other"}, refused: true},
		"native not allowed":        {server: fake{plugin: pluginNative}, change: func(c *mysql.Config) { c.AllowNativePasswords = false }, refused: true},
		"switched to native":        {server: fake{plugin: pluginCachingSHA2, switchTo: pluginNative}},
		"switched to SHA2":          {server: fake{plugin: pluginNative, switchTo: pluginCachingSHA2, cached: true}},
		"unknown default":           {server: fake{plugin: "something", switchTo: pluginNative}},
		"switched to the unknown":   {server: fake{plugin: pluginNative, switchTo: "something"}, refused: true},
		"SHA2 by heart":             {server: fake{plugin: pluginCachingSHA2, cached: true}},
		"SHA2 wrong":                {server: fake{plugin: pluginCachingSHA2, cached: true, password: "other"}, refused: true},
		"SHA2 by key":               {server: fake{plugin: pluginCachingSHA2, key: key}},
		"SHA2 by key, wrong":        {server: fake{plugin: pluginCachingSHA2, key: key, password: "other"}, refused: true},
		"SHA2 over a socket":        {server: fake{plugin: pluginCachingSHA2}, network: "unix"},
		"SHA2 over TLS":             {server: fake{plugin: pluginCachingSHA2, tls: encrypted}, change: func(c *mysql.Config) { c.TLSConfig = "skip-verify" }},
		"TLS verified":              {server: fake{plugin: pluginNative, tls: encrypted}, change: func(c *mysql.Config) { c.TLS = &tls.Config{RootCAs: trusting, ServerName: "db.example"} }},
		"TLS of somebody else":      {server: fake{plugin: pluginNative, tls: encrypted}, change: func(c *mysql.Config) { c.TLS = &tls.Config{RootCAs: trusting, ServerName: "other.example"} }, refused: true},
		"TLS not offered":           {server: fake{plugin: pluginNative}, change: func(c *mysql.Config) { c.TLSConfig = "skip-verify" }, refused: true},
		"TLS preferred":             {server: fake{plugin: pluginNative}, change: func(c *mysql.Config) { c.TLSConfig = "preferred" }},
		"in the clear, unwilling":   {server: fake{plugin: pluginNative, switchTo: pluginCleartext}, refused: true},
		"in the clear, unencrypted": {server: fake{plugin: pluginNative, switchTo: pluginCleartext}, change: func(c *mysql.Config) { c.AllowCleartextPasswords = true }, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			test.server.t, test.server.version = t, "8.4.3"
			if test.server.password == "" {
				test.server.password = "secret"
			}
			if test.network == "" {
				test.network = "tcp"
			}
			cfg := test.server.listen(test.network)
			if test.change != nil {
				test.change(cfg)
			}
			if cfg.TLS == nil { // what the driver makes of the DSN
				var err error
				if cfg, err = mysql.ParseDSN(cfg.FormatDSN()); err != nil {
					t.Fatal(err)
				}
			}
			connector, err := mysql.NewConnector(cfg)
			if err != nil {
				t.Fatal(err)
			}
			theirs, theirErr := connector.Connect(t.Context())
			if theirErr == nil {
				theirs.Close()
			}
			if (theirErr != nil) != test.refused && name != "in the clear, unencrypted" { // where the driver is less careful
				t.Fatalf("the driver: %v", theirErr)
			}
			c, err := dial(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer c.net.Close()
			done := c.under(t.Context(), time.Minute)
			defer done()
			version, err := c.login(cfg)
			if (err != nil) != test.refused || err == nil && version != "8.4.3" {
				t.Fatalf("%q, %v", version, err)
			}
		})
	}
}

// TestLoginOverTLS uses a real server.
func TestLoginOverTLS(t *testing.T) {
	cert := certificate(t)
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
