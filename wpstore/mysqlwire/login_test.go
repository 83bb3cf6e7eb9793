package mysqlwire

import (
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"strings"
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
		"native":                       {server: fake{plugin: pluginNative}},
		"native, wrong password":       {server: fake{plugin: pluginNative, password: "other"}, refused: true},
		"native not allowed":           {server: fake{plugin: pluginNative}, change: func(c *mysql.Config) { c.AllowNativePasswords = false }, refused: true},
		"switched to native":           {server: fake{plugin: pluginCachingSHA2, switchTo: pluginNative}},
		"switched to SHA2":             {server: fake{plugin: pluginNative, switchTo: pluginCachingSHA2, cached: true}},
		"unknown default":              {server: fake{plugin: "something", switchTo: pluginNative}},
		"switched to the unknown":      {server: fake{plugin: pluginNative, switchTo: "something"}, refused: true},
		"SHA2 by heart":                {server: fake{plugin: pluginCachingSHA2, cached: true}},
		"SHA2 wrong":                   {server: fake{plugin: pluginCachingSHA2, cached: true, password: "other"}, refused: true},
		"SHA2 by key":                  {server: fake{plugin: pluginCachingSHA2, key: key}},
		"SHA2 by key, wrong":           {server: fake{plugin: pluginCachingSHA2, key: key, password: "other"}, refused: true},
		"SHA2 over a socket":           {server: fake{plugin: pluginCachingSHA2}, network: "unix"},
		"SHA2 over TLS":                {server: fake{plugin: pluginCachingSHA2, tls: encrypted}, change: func(c *mysql.Config) { c.TLSConfig = "skip-verify" }},
		"TLS verified":                 {server: fake{plugin: pluginNative, tls: encrypted}, change: func(c *mysql.Config) { c.TLS = &tls.Config{RootCAs: trusting, ServerName: "db.example"} }},
		"TLS of somebody else":         {server: fake{plugin: pluginNative, tls: encrypted}, change: func(c *mysql.Config) { c.TLS = &tls.Config{RootCAs: trusting, ServerName: "other.example"} }, refused: true},
		"TLS not offered":              {server: fake{plugin: pluginNative}, change: func(c *mysql.Config) { c.TLSConfig = "skip-verify" }, refused: true},
		"TLS preferred":                {server: fake{plugin: pluginNative}, change: func(c *mysql.Config) { c.TLSConfig = "preferred" }},
		"in the clear, not allowed":    {server: fake{plugin: pluginNative, switchTo: pluginCleartext}, refused: true},
		"SHA2 by key, TLS not offered": {server: fake{plugin: pluginCachingSHA2, key: key}, change: func(c *mysql.Config) { c.TLSConfig = "preferred" }},
		"an error for a greeting":      {server: fake{greeting: "\xff\x6a\x04#HY000Host is blocked"}, change: func(c *mysql.Config) { c.TLSConfig = "preferred" }, refused: true},
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
			if (theirErr != nil) != test.refused {
				t.Fatalf("the driver: %v", theirErr)
			}
			c, err := Dial(t.Context(), cfg, nil)
			if (err != nil) != test.refused {
				t.Fatal(err)
			}
			if unknown := test.server.switchTo; unknown == "something" && !strings.Contains(err.Error(), unknown) {
				t.Errorf("%v does not name the plugin", err)
			}
			if err != nil {
				return
			}
			defer c.Close()
			done := c.Bound(t.Context(), time.Minute)
			defer done()
			for range 2 { // also after the login packets have other numbers
				if err := c.Exec(t.Context(), "DO 1"); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestDialRefusesNonsense: a server that speaks something else is refused before the
// driver sees it.
func TestDialRefusesNonsense(t *testing.T) {
	for name, greeting := range map[string]string{"short": "\x0a", "no capabilities": "\x0a8.4.3\x00\x01\x00\x00\x00abcdefgh\x00"} {
		cfg := (&fake{t: t, greeting: greeting}).listen("tcp")
		cfg.TLS = &tls.Config{InsecureSkipVerify: true}
		if _, err := Dial(t.Context(), cfg, nil); err == nil || !strings.Contains(err.Error(), "does not offer TLS") {
			t.Errorf("%s: %v", name, err)
		}
	}
	cfg := (&fake{t: t}).listen("tcp")
	cfg.Addr = "127.0.0.1:1"
	if _, err := Dial(t.Context(), cfg, nil); err == nil || !strings.HasPrefix(err.Error(), "connect: ") {
		t.Errorf("nothing listens: %v", err)
	}
}
