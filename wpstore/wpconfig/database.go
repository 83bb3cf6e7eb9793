package wpconfig

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// localSockets are where servers put their socket on the usual systems. PHP,
// asked for localhost, connects to a socket rather than to the network.
var localSockets = []string{
	"/run/mysqld/mysqld.sock", "/var/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock",
}

const defaultPort = 3306

// Database is the address of a database in the form of a go-sql-driver/mysql data
// source name, from DB_NAME, DB_USER, DB_PASSWORD, DB_HOST and DB_COLLATE. The
// error names the constant that is missing or could not be read.
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
			if u, found := f.unreadable(c.name); found {
				return "", fmt.Errorf("%s:%d: %s %s; pass the database as --dsn instead", f.Path, u.Line, c.name, u.Why)
			}
			if c.required {
				return "", fmt.Errorf("%s does not define %s%s; pass the database as --dsn instead", f.Path, c.name, f.elsewhere())
			}
			v = "localhost"
		}
		*c.to = v
	}
	cfg.Net, cfg.Addr = HostAddress(host, func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	})
	if collation, ok := f.Text("DB_COLLATE"); ok && strings.HasPrefix(collation, "utf8mb4_") {
		cfg.Collation = collation
	}
	return cfg.FormatDSN(), nil
}

func (f *File) unreadable(name string) (Unreadable, bool) {
	for _, u := range f.Unreadable {
		if u.Name == name {
			return u, true
		}
	}
	return Unreadable{}, false
}

// elsewhere hints at where a missing constant may come from.
func (f *File) elsewhere() string {
	switch {
	case len(f.Includes) > 0:
		return fmt.Sprintf(" (line %d reads another file, which is not followed)", f.Includes[0])
	case len(f.Unreadable) > 0 && f.Unreadable[0].Name == "":
		return fmt.Sprintf(" (line %d %s)", f.Unreadable[0].Line, f.Unreadable[0].Why)
	}
	return ""
}

// HostAddress reads the forms of DB_HOST: host, host:port, host:/socket, :/socket,
// an IPv6 address in brackets or bare, and p: in front, which asks PHP to keep the
// connection. exists tells whether there is a socket; localhost without a port
// means one of the usual sockets if there is one.
func HostAddress(host string, exists func(path string) bool) (network, address string) {
	host = strings.TrimSpace(host)
	if rest, ok := strings.CutPrefix(host, "p:"); ok {
		host = rest
	}
	if i := strings.Index(host, ":/"); i >= 0 {
		return "unix", host[i+1:]
	}
	if strings.HasPrefix(host, "/") {
		return "unix", host
	}
	name, port := splitPort(host)
	if name == "" {
		name = "localhost"
	}
	if name == "localhost" && port == 0 {
		for _, socket := range localSockets {
			if exists(socket) {
				return "unix", socket
			}
		}
	}
	if name == "localhost" {
		name = "127.0.0.1"
	}
	if port == 0 {
		port = defaultPort
	}
	return "tcp", net.JoinHostPort(name, strconv.Itoa(port))
}

// splitPort takes a port off a host; 0 when there is none.
func splitPort(host string) (name string, port int) {
	if rest, ok := strings.CutPrefix(host, "["); ok {
		name, after, _ := strings.Cut(rest, "]")
		n, _ := strconv.ParseUint(strings.TrimPrefix(after, ":"), 10, 16)
		return name, int(n)
	}
	if strings.Count(host, ":") > 1 { // a bare IPv6 address
		return host, 0
	}
	name, digits, _ := strings.Cut(host, ":")
	n, _ := strconv.ParseUint(digits, 10, 16)
	return name, int(n)
}
