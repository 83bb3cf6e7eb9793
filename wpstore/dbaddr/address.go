package dbaddr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// Address is the address of a database. The zero Address is none.
type Address struct {
	// MySQL holds the driver's settings of a server, nil for the embedded engine.
	// Clone them before changing them.
	MySQL *mysql.Config
	// SQLite is the file of the embedded engine, or ":memory:".
	SQLite string
}

// IsZero reports whether the address is empty.
func (a Address) IsZero() bool { return a == Address{} }

// String returns the address for messages, without the password.
func (a Address) String() string {
	switch c := a.MySQL; {
	case c != nil:
		return c.User + "@" + c.Net + "(" + c.Addr + ")/" + c.DBName
	case a.SQLite != "":
		return sqlitePrefix + a.SQLite
	}
	return ""
}

const (
	sqlitePrefix = "sqlite:"
	serverForm   = "user:password@tcp(host:3306)/database"
)

// Parse parses a data source name of go-sql-driver/mysql, "sqlite:FILE" or "sqlite::memory:".
// An empty text is the zero Address. No error contains the password.
func Parse(text string) (Address, error) {
	if text == "" {
		return Address{}, nil
	}
	if file, ok := strings.CutPrefix(text, sqlitePrefix); ok {
		if file == "" {
			return Address{}, errors.New("the file is missing; expected sqlite::memory: or sqlite:FILE")
		}
		return Address{SQLite: file}, nil
	}
	cfg, err := ParseServer(text)
	return Address{MySQL: cfg}, err
}

// ParseServer parses the data source name of a MySQL or MariaDB server. The name of the
// database may be missing. No error contains the password.
func ParseServer(dsn string) (*mysql.Config, error) {
	if strings.HasPrefix(dsn, "mysql://") || strings.HasPrefix(dsn, "mariadb://") {
		return nil, fmt.Errorf("this is a URL; write %s, without a scheme", serverForm)
	}
	dsn, err := withServerKey(dsn)
	if err != nil {
		return nil, err
	}
	cfg, err := parse(dsn)
	if err != nil {
		return nil, fmt.Errorf("%w; expected %s or user:password@unix(/path/to.sock)/database", err, serverForm)
	}
	if cfg.Net != "tcp" && cfg.Net != "unix" {
		return nil, errNetwork
	}
	return cfg, nil
}

// errNetwork doesn't quote the network: in a DSN without an @, the password stands there.
var errNetwork = errors.New("the network is neither tcp nor unix")

// parse calls mysql.ParseDSN, which panics on a parameter that the driver no longer has.
func parse(dsn string) (cfg *mysql.Config, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			cfg, err = nil, fmt.Errorf("%v", reason)
		}
	}()
	cfg, err = mysql.ParseDSN(dsn)
	if err != nil && strings.HasPrefix(err.Error(), "default addr for network") {
		err = errNetwork
	}
	return cfg, err
}
