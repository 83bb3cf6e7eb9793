package wpconfig

import "testing"

func TestDatabase(t *testing.T) {
	f := parse(`define('DB_NAME', 'cal'); define('DB_USER', 'u@x'); define('DB_PASSWORD', 'p:/@?#'); define('DB_HOST', 'db:3307'); define('DB_COLLATE', 'utf8mb4_czech_ci');`)
	dsn, err := f.Database()
	if want := "u@x:p:/@?#@tcp(db:3307)/cal?collation=utf8mb4_czech_ci"; err != nil || dsn != want {
		t.Errorf("%q %v, want %q", dsn, err, want)
	}
	if _, err := parse(`require "x.php"; define('DB_NAME', 'cal');`).Database(); err == nil || err.Error() != " does not define DB_USER; line 2 reads another file, which is not followed" {
		t.Error(err)
	}
	if _, err := parse(`define('DB_NAME', name());`).Database(); err == nil || err.Error() != ":2: DB_NAME comes from the function name, which is not run" {
		t.Error(err)
	}
	f = parse(`define('DB_NAME', 'cal'); define('DB_USER', 'u'); define('DB_PASSWORD', ''); define('DB_HOST', 'db'); define('DB_COLLATE', 'latin1_swedish_ci');`)
	if dsn, err := f.Database(); err != nil || dsn != "u@tcp(db:3306)/cal" {
		t.Errorf("%q %v", dsn, err)
	}
	f = parse(`define('DB_NAME', 'cal'); define('DB_USER', 'u'); define('DB_PASSWORD', ''); define('DB_HOST', 'db'); define('DB_CHARSET', 'latin1'); define('DB_COLLATE', 'latin1_german1_ci');`)
	if dsn, err := f.Database(); err != nil || dsn != "u@tcp(db:3306)/cal?collation=latin1_german1_ci" {
		t.Errorf("%q %v", dsn, err)
	}
}

func TestHostAddress(t *testing.T) {
	sockets := func(path string) bool { return path == "/var/lib/mysql/mysql.sock" }
	none := func(string) bool { return false }
	for _, c := range []struct {
		host   string
		exists func(string) bool
		want   string
	}{
		{"localhost", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"", sockets, "unix /var/lib/mysql/mysql.sock"},
		{"localhost", none, "tcp 127.0.0.1:3306"},
		{"localhost:3307", sockets, "tcp 127.0.0.1:3307"},
		{"127.0.0.1", sockets, "tcp 127.0.0.1:3306"},
		{"db.example.org:3310", none, "tcp db.example.org:3310"},
		{"p:db", none, "tcp db:3306"},
		{"localhost:/tmp/x.sock", none, "unix /tmp/x.sock"},
		{":/tmp/x.sock", none, "unix /tmp/x.sock"},
		{"/tmp/x.sock", none, "unix /tmp/x.sock"},
		{"[::1]:3307", none, "tcp [::1]:3307"},
		{"[fe80::1]", none, "tcp [fe80::1]:3306"},
		{"2001:db8::5", none, "tcp [2001:db8::5]:3306"},
		{":3307", none, "tcp 127.0.0.1:3307"},
		{"db:port", none, "tcp db:3306"},
	} {
		if network, address := hostAddress(c.host, c.exists); network+" "+address != c.want {
			t.Errorf("%q: %s %s, want %s", c.host, network, address, c.want)
		}
	}
}

// TestLocalSockets shows where a server's socket is looked for.
func TestLocalSockets(t *testing.T) {
	for _, want := range []string{
		"/run/mysqld/mysqld.sock",     // Debian, Alpine
		"/var/run/mysqld/mysqld.sock", // the same, where /run is none
		"/var/lib/mysql/mysql.sock",   // Red Hat
		"/tmp/mysql.sock",             // MySQL's own default
	} {
		if network, address := hostAddress("localhost", func(path string) bool { return path == want }); network != "unix" || address != want {
			t.Errorf("%s %s, want %s", network, address, want)
		}
	}
}
