package wpconfig

import (
	"path"
	"strings"
	"testing"
)

// TestHost checks where the forms of DB_HOST lead. Except for p: and a path alone, which
// WordPress itself takes for names of hosts, the addresses are those of WordPress and mysqli
// of PHP 8.2.36.
func TestHost(t *testing.T) {
	sockets := func(path string) bool { return path == "/var/lib/mysql/mysql.sock" }
	none := func(string) bool { return false }
	for _, c := range []struct {
		host   string
		exists func(string) bool
		want   string
	}{
		{"localhost", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"LocalHost", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"localhost:", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"p:localhost", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"localhost", none, "tcp 127.0.0.1:3306"},
		{"localhost:3306", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"localhost:3306", none, "tcp 127.0.0.1:3306"},
		{"localhost:3307", sockets, "tcp 127.0.0.1:3307"},
		{"127.0.0.1", sockets, "tcp 127.0.0.1:3306"},
		{" db ", none, "tcp db:3306"},
		{"db.example.org:3310", none, "tcp db.example.org:3310"},
		{"p:db", none, "tcp db:3306"},
		{"p:db:3307", none, "tcp db:3307"},
		{"localhost:/tmp/x.sock", none, "unix /tmp/x.sock"},
		{"localhost:3307:/tmp/x.sock", none, "unix /tmp/x.sock"},
		{":/tmp/x.sock", none, "unix /tmp/x.sock"},
		{"p::/tmp/x.sock", none, "unix /tmp/x.sock"},
		{"/tmp/x.sock", none, "unix /tmp/x.sock"},
		{"db:/tmp/x.sock", none, "tcp db:3306"},
		{"127.0.0.1:3307:/tmp/x.sock", none, "tcp 127.0.0.1:3307"},
		{"[::1]:3307", none, "tcp [::1]:3307"},
		{"p:[::1]:3307", none, "tcp [::1]:3307"},
		{"[::1]:3307:/tmp/x.sock", none, "tcp [::1]:3307"},
		{"[::1]:/tmp/x.sock", none, "tcp [::1]:3306"},
		{"[fe80::1]", none, "tcp [fe80::1]:3306"},
		{"2001:db8::5", none, "tcp [2001:db8::5]:3306"},
		{"::1", none, "tcp [::1]:3306"},
		{":3307", none, "tcp 127.0.0.1:3307"},
		{":3306", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"db:port", none, "tcp db:3306"},
		{"db:3307x", none, "tcp db:3307"},
		{"db:0", none, "tcp db:3306"},
	} {
		t.Run(c.host, func(t *testing.T) {
			if network, address := parseHost(c.host).dial(c.exists); network+" "+address != c.want {
				t.Errorf("%s %s, want %s", network, address, c.want)
			}
		})
	}
}

func TestServerName(t *testing.T) {
	for host, want := range map[string]string{"": "localhost", ":3307": "localhost", "db.example:3307": "db.example", "[::1]:3307": "::1"} {
		if got := parseHost(host).serverName(); got != want {
			t.Errorf("%q: %s, want %s", host, got, want)
		}
	}
}

// TestLocalSockets checks where a server's socket is looked for.
func TestLocalSockets(t *testing.T) {
	for _, want := range []string{
		"/run/mysqld/mysqld.sock",     // Debian, Alpine
		"/var/run/mysqld/mysqld.sock", // the same, where /run is missing
		"/var/lib/mysql/mysql.sock",   // Red Hat
		"/tmp/mysql.sock",             // MySQL's own default
	} {
		if network, address := parseHost("localhost").dial(func(path string) bool { return path == want }); network != "unix" || address != want {
			t.Errorf("%s %s, want %s", network, address, want)
		}
	}
}

// FuzzHost checks that any text leads to a socket's path, or to a host and a port.
func FuzzHost(f *testing.F) {
	for _, host := range []string{"", "localhost:3307", "p:[::1]:3307:/x", "::1", "[", "]:1", "a]b:2"} {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		network, address := parseHost(host).dial(func(string) bool { return false })
		port := strings.Trim(address[strings.LastIndex(address, ":")+1:], "0123456789")
		if network != "unix" && (network != "tcp" || port != "" || strings.HasPrefix(address, ":")) || network == "unix" && !path.IsAbs(address) {
			t.Errorf("%s %s", network, address)
		}
	})
}
