package wpconfig

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/wpstore/dbaddr"
)

// parseDatabase parses constants of the database on the server db.
func parseDatabase(constants string) *File {
	return parse(`define('DB_NAME', 'cal'); define('DB_USER', 'u'); define('DB_PASSWORD', ''); define('DB_HOST', 'db');` + constants)
}

func TestDatabase(t *testing.T) {
	f := parse(`define('DB_NAME', 'c/a?l'); define('DB_USER', 'u:x@y/z'); define('DB_PASSWORD', 'p:/@?#)(%40&tls=x compress=true'); define('DB_HOST', 'db:3307'); define('DB_COLLATE', 'utf8mb4_czech_ci');`)
	cfg, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	if cfg.User != "u:x@y/z" || cfg.Passwd != "p:/@?#)(%40&tls=x compress=true" || cfg.Net != "tcp" || cfg.Addr != "db:3307" || cfg.DBName != "c/a?l" || cfg.Collation != "utf8mb4_czech_ci" || cfg.TLS != nil {
		t.Errorf("%+v", cfg)
	}
}

func TestDatabaseErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`require "x.php"; define('DB_NAME', 'cal');`, " does not define DB_USER; line 2 reads another file, which is not followed"},
		{`define('DB_NAME', name());`, ":2: DB_NAME comes from the function name, which is not run"},
		{`define('DB_NAME', 'c'); define('DB_USER', 'u'); define('DB_PASSWORD', 'secret'); define('DB_HOST', host());`, ":2: DB_HOST comes from the function host, which is not run"},
		{`define('DB_NAME', 'c'); define('DB_USER', 'u'); define('DB_PASSWORD', 'secret'); define('MYSQL_CLIENT_FLAGS', flags());`, ":2: MYSQL_CLIENT_FLAGS comes from the function flags, which is not run"},
	} {
		t.Run(c.src, func(t *testing.T) {
			if _, err := parse(c.src).Database(); err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestCollation(t *testing.T) {
	for _, c := range []struct{ charset, collation, want string }{
		{"", "", ""},
		{"", "latin1_swedish_ci", ""},
		{"", "utf8_czech_ci", "utf8_czech_ci"},
		{"utf8mb4", "utf8mb4_0900_ai_ci", "utf8mb4_0900_ai_ci"}, // the server may not know it
		{"latin1", "latin1_german1_ci", "latin1_german1_ci"},
		{"utf8mb4", "utf8mb4_bin; DROP", ""},
	} {
		t.Run(c.charset+" "+c.collation, func(t *testing.T) {
			cfg, err := parseDatabase(fmt.Sprintf("define('DB_CHARSET', '%s'); define('DB_COLLATE', '%s');", c.charset, c.collation)).Database()
			if err != nil || cfg.Collation != c.want {
				t.Errorf("%q, %v, want %q", cfg.Collation, err, c.want)
			}
		})
	}
}

// TestClientFlags checks the effects of the flags. They are those that mysqli of PHP 8.2.36
// had on connections to a MariaDB 10.11 with a certificate that no authority had signed.
func TestClientFlags(t *testing.T) {
	const off, unverified, verified = "off", "unverified", "verified"
	for _, c := range []struct {
		flags, tls string
		compress   bool
	}{
		{"0", off, false},
		{"MYSQLI_CLIENT_SSL", unverified, false},
		{`\MYSQLI_CLIENT_SSL`, unverified, false},
		{"2048", unverified, false},
		{"0x800", unverified, false},
		{"'2048'", unverified, false},
		{"MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT", unverified, false},
		{"(MYSQLI_CLIENT_SSL|64)", unverified, false},
		{"MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT", off, false},
		{"MYSQLI_CLIENT_SSL_VERIFY_SERVER_CERT", off, false},
		{"MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_VERIFY_SERVER_CERT", verified, false},
		{"MYSQLI_CLIENT_COMPRESS", off, true},
		{"MYSQLI_CLIENT_FOUND_ROWS | MYSQLI_CLIENT_COMPRESS | MYSQLI_CLIENT_SSL", unverified, true},
		{"2080 & 2048 | 1 ^ 1", unverified, false},
		{"defined('MYSQLI_CLIENT_SSL') ? MYSQLI_CLIENT_SSL : 0", unverified, false},
	} {
		t.Run(c.flags, func(t *testing.T) {
			cfg, err := parseDatabase("define('MYSQL_CLIENT_FLAGS', " + c.flags + ");").Database()
			if err != nil {
				t.Fatal(err)
			}
			tls := off
			switch {
			case cfg.TLS != nil && cfg.TLS.ServerName != "db":
				t.Errorf("the certificate is for %s", cfg.TLS.ServerName)
			case cfg.TLS != nil && cfg.TLS.InsecureSkipVerify:
				tls = unverified
			case cfg.TLS != nil:
				tls = verified
			}
			if compress := strings.Contains(cfg.FormatDSN(), "compress=true"); tls != c.tls || compress != c.compress {
				t.Errorf("TLS %s, compression %v", tls, compress)
			}
		})
	}
}

// FuzzDatabase checks that constants reach the driver as they are, and never an error.
func FuzzDatabase(f *testing.F) {
	f.Add("cal", "u:x", "p@/", "db:3307")
	f.Add("", "", "", "localhost:1:/tmp/x.sock")
	f.Fuzz(func(t *testing.T, name, user, password, host string) {
		file := &File{Settings: map[string]Setting{"DB_NAME": {Value: name}, "DB_USER": {Value: user}, "DB_PASSWORD": {Value: password}, "DB_HOST": {Value: host}}}
		cfg, err := file.Database()
		if err != nil || cfg.DBName != name || cfg.User != user || cfg.Passwd != password {
			t.Errorf("%+v, %v", cfg, err)
		}
		if at := (dbaddr.Address{MySQL: cfg}).String(); at != user+"@"+cfg.Net+"("+cfg.Addr+")/"+name {
			t.Error(at)
		}
	})
}
