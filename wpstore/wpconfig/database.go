package wpconfig

import (
	"crypto/tls"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/php"
)

// Database returns the driver's settings of the site's database. It uses DB_NAME, DB_USER,
// DB_PASSWORD, DB_HOST, DB_COLLATE and MYSQL_CLIENT_FLAGS. The error names the constant that
// is missing or could not be read, and no values.
func (f *File) Database() (*mysql.Config, error) {
	cfg := mysql.NewConfig()
	host := "localhost"
	for _, c := range []struct {
		name     string
		to       *string
		required bool
	}{{"DB_NAME", &cfg.DBName, true}, {"DB_USER", &cfg.User, true}, {"DB_PASSWORD", &cfg.Passwd, true}, {"DB_HOST", &host, false}} {
		s, found := f.Settings[c.name]
		switch {
		case s.Why != "":
			return nil, f.unreadable(c.name, s)
		case found:
			*c.to = php.ToString(s.Value)
		case c.required:
			return nil, f.missing(c.name)
		}
	}
	at := parseHost(host)
	cfg.Net, cfg.Addr = at.dial(fileExists)
	charset, _ := f.Text("DB_CHARSET")
	if collation, ok := f.Text("DB_COLLATE"); ok && sameFamily(charset, collation) {
		cfg.Collation = collation
	}
	if flags, found := f.Settings[clientFlags]; found {
		if flags.Why != "" {
			return nil, f.unreadable(clientFlags, flags)
		}
		return cfg, applyFlags(cfg, php.ToInt(flags.Value), at.serverName())
	}
	return cfg, nil
}

func (f *File) unreadable(name string, s Setting) error {
	return fmt.Errorf("%s:%d: %s %s", f.Path, s.Line, name, s.Why)
}

func (f *File) missing(name string) error {
	err := fmt.Errorf("%s does not define %s", f.Path, name)
	if file := filepath.Join(filepath.Dir(f.Path), "..", "config", "application.php"); f.Path != "" && fileExists(file) {
		return fmt.Errorf("%w: this is a site on Bedrock, whose settings are in %s", err, file)
	}
	for _, n := range f.Notes {
		err = fmt.Errorf("%w; line %d %s", err, n.Line, n.Text)
	}
	return err
}

var collationName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// sameFamily reports whether a collation belongs to a character set, which is utf8mb4 for
// utf8. Servers refuse any other collation, and WordPress then uses the default.
func sameFamily(charset, collation string) bool {
	family, _, _ := strings.Cut(collation, "_")
	utf8 := func(name string) bool { return name == "" || name == "utf8" || name == "utf8mb4" }
	return collationName.MatchString(collation) && (family == charset || utf8(charset) && utf8(family))
}

// clientFlags is the constant with the flags that WordPress passes to mysqli.
const clientFlags = "MYSQL_CLIENT_FLAGS"

// Flags of mysqli. Others have no effect here.
const (
	flagCompress = 1 << 5
	flagTLS      = 1 << 11
	flagVerify   = 1 << 30
)

// flagValues returns PHP's constants for the flags of mysqli, as PHP 8.2 has them.
func flagValues() map[string]int64 {
	return map[string]int64{
		"MYSQLI_CLIENT_FOUND_ROWS":                   1 << 1,
		"MYSQLI_CLIENT_NO_SCHEMA":                    1 << 4,
		"MYSQLI_CLIENT_COMPRESS":                     flagCompress,
		"MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT":  1 << 6,
		"MYSQLI_CLIENT_IGNORE_SPACE":                 1 << 8,
		"MYSQLI_CLIENT_INTERACTIVE":                  1 << 10,
		"MYSQLI_CLIENT_SSL":                          flagTLS,
		"MYSQLI_CLIENT_CAN_HANDLE_EXPIRED_PASSWORDS": 1 << 22,
		"MYSQLI_CLIENT_SSL_VERIFY_SERVER_CERT":       flagVerify,
	}
}

// applyFlags applies the flags of mysqli for a connection to a host. As in PHP 8.2, only
// MYSQLI_CLIENT_SSL turns TLS on, and only MYSQLI_CLIENT_SSL_VERIFY_SERVER_CERT makes it check
// the certificate.
func applyFlags(cfg *mysql.Config, flags int64, serverName string) error {
	if flags&flagTLS != 0 {
		cfg.TLS = &tls.Config{ServerName: serverName, InsecureSkipVerify: flags&flagVerify == 0}
	}
	return cfg.Apply(mysql.EnableCompression(flags&flagCompress != 0))
}
