package wpconfig

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// localSockets are the usual paths of the server's socket. For localhost, PHP connects to a
// socket rather than over the network.
var localSockets = []string{
	"/run/mysqld/mysqld.sock", "/var/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock",
}

const defaultPort = 3306

// Database returns the address of a database in the form of a go-sql-driver/mysql data
// source name. It uses DB_NAME, DB_USER, DB_PASSWORD, DB_HOST and DB_COLLATE. The error
// names the constant that is missing or could not be read.
func (f *File) Database() (dsn string, err error) {
	cfg := mysql.NewConfig()
	var host string
	for _, c := range []struct {
		name     string
		to       *string
		required bool
	}{{"DB_NAME", &cfg.DBName, true}, {"DB_USER", &cfg.User, true}, {"DB_PASSWORD", &cfg.Passwd, true}, {"DB_HOST", &host, false}} {
		v, ok := f.Text(c.name)
		if !ok {
			if s, found := f.Settings[c.name]; found {
				return "", fmt.Errorf("%s:%d: %s %s", f.Path, s.Line, c.name, s.Why)
			}
			if c.required {
				err := fmt.Errorf("%s does not define %s", f.Path, c.name)
				for _, n := range f.Notes {
					err = fmt.Errorf("%w; line %d %s", err, n.Line, n.Text)
				}
				return "", err
			}
			v = "localhost"
		}
		*c.to = v
	}
	cfg.Net, cfg.Addr = hostAddress(host, func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	})
	charset, _ := f.Text("DB_CHARSET")
	if collation, ok := f.Text("DB_COLLATE"); ok && sameFamily(charset, collation) {
		cfg.Collation = collation
	}
	return cfg.FormatDSN(), nil
}

// sameFamily reports whether a collation belongs to a character set, which is utf8mb4 for
// utf8. Servers refuse any other collation, and WordPress then uses the default.
func sameFamily(charset, collation string) bool {
	family, _, _ := strings.Cut(collation, "_")
	utf8 := func(name string) bool { return name == "" || name == "utf8" || name == "utf8mb4" }
	return family != "" && (family == charset || utf8(charset) && utf8(family))
}

// hostAddress parses the forms of DB_HOST: host, host:port, host:/socket, :/socket, and an
// IPv6 address in brackets or bare. A prefix p: requests a persistent connection from PHP.
// exists reports whether there is a socket; localhost without a port means one of the usual
// sockets if there is one.
func hostAddress(host string, exists func(path string) bool) (network, address string) {
	host = strings.TrimPrefix(strings.TrimSpace(host), "p:")
	if i := strings.Index(":"+host, ":/"); i >= 0 {
		return "unix", host[i:]
	}
	name, digits, err := net.SplitHostPort(host)
	if err != nil { // without a port
		name = strings.Trim(host, "[]")
	}
	port, _ := strconv.ParseUint(digits, 10, 16)
	if name == "" || name == "localhost" {
		name = "127.0.0.1"
		if i := slices.IndexFunc(localSockets, exists); i >= 0 && port == 0 {
			return "unix", localSockets[i]
		}
	}
	if port == 0 {
		port = defaultPort
	}
	return "tcp", net.JoinHostPort(name, strconv.FormatUint(port, 10))
}
