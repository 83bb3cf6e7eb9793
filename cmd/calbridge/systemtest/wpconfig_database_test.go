package systemtest

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// configured is the sample calendar on a server with users, TLS and a binary log.
type configured struct {
	t     *testing.T
	admin *mysql.Config
	port  string
}

func newConfigured(t *testing.T) *configured {
	t.Helper()
	dir := t.TempDir()
	if err := wptest.WriteCertificate(dir); err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(wptest.FreePort(t))
	dsn := wptest.Replicated(t, "--skip-grant-tables=0", "--skip-networking=0", "--bind-address=127.0.0.1", "--port="+port,
		"--ssl-cert="+filepath.Join(dir, "cert.pem"), "--ssl-key="+filepath.Join(dir, "key.pem"))
	loadSample(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}, Tables: table.Config{Prefix: "wp_"}})
	return &configured{t, wptest.Server(t, dsn), port}
}

// exec runs statements as the administrator.
func (c *configured) exec(statements ...string) {
	c.t.Helper()
	connector, err := mysql.NewConnector(c.admin)
	if err != nil {
		c.t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.ExecContext(c.t.Context(), statement); err != nil {
			c.t.Fatalf("%s: %v", statement, err)
		}
	}
}

// createUser creates a user with all privileges. requires is REQUIRE SSL or "".
func (c *configured) createUser(user, password, requires string) {
	c.t.Helper()
	quote := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	account := "'" + quote.Replace(user) + "'@'%'"
	c.exec("CREATE USER "+account+" IDENTIFIED BY '"+quote.Replace(password)+"' "+requires, "GRANT ALL ON *.* TO "+account)
}

// file writes a wp-config.php with these lines after the usual ones.
func (c *configured) file(user, password, host, lines string) string {
	c.t.Helper()
	quote := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	file := filepath.Join(c.t.TempDir(), "wp-config.php")
	text := fmt.Sprintf("<?php\ndefine('DB_NAME', '%s'); define('DB_USER', '%s'); define('DB_PASSWORD', '%s'); define('DB_HOST', '%s');\n$table_prefix = 'wp_';\n%s\n",
		c.admin.DBName, quote.Replace(user), quote.Replace(password), host, lines)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return file
}

// checkAndServe runs check and serve with a wp-config.php, follows the binary log, and returns
// the findings.
func (c *configured) checkAndServe(file, password string) map[string]check.Finding {
	c.t.Helper()
	code, found := checkReport(c.t, "--wp-config", file)
	for _, name := range []string{"database.connection", "database.session", "database.change-feed"} {
		if f := found[name]; f.Status != check.StatusOK {
			c.t.Errorf("check: exit %d: %+v", code, f)
		}
	}
	s := start(c.t, nil, "serve", "--wp-config", file, "--cache", "strict", "--log-level", "debug")
	if resp, body := fetch(c.t, s.api+"/wp-json/calendar/events/v1/events"); resp.StatusCode != http.StatusOK || !strings.Contains(body, `"events":[{`) {
		c.t.Errorf("%d %.300s", resp.StatusCode, body)
	}
	if output := s.stdout.String() + s.stderr.String() + fmt.Sprint(found); strings.Contains(output, password) {
		c.t.Errorf("the output contains the password:\n%s", output)
	}
	return found
}

// TestValuesOfWPConfig serves a site whose constants of the database have characters that mean
// something in a DSN or in a URL.
func TestValuesOfWPConfig(t *testing.T) {
	c := newConfigured(t)
	for _, login := range []struct{ user, password string }{
		{"wp:x", "secret9"},
		{"wp@host", "s3:cr/et@tcp(x)/y?tls=z&%40"},
		{"wp/\"'", `\'"#$ {DB_NAME} compress=true`},
		{"žluť", "heslo ☃"},
	} {
		t.Run(login.user, func(t *testing.T) {
			c := &configured{t, c.admin, c.port}
			c.createUser(login.user, login.password, "")
			c.checkAndServe(c.file(login.user, login.password, "127.0.0.1:"+c.port, ""), login.password)
		})
	}
}

// TestHostsOfWPConfig serves a site with forms of DB_HOST that lead to the server.
func TestHostsOfWPConfig(t *testing.T) {
	c := newConfigured(t)
	c.createUser("wp", "secret9", "")
	for _, host := range []string{"localhost:" + c.admin.Addr, ":" + c.admin.Addr, "localhost:1:" + c.admin.Addr, "127.0.0.1:" + c.port + ":" + c.admin.Addr, "p:127.0.0.1:" + c.port, ":" + c.port, "[::ffff:127.0.0.1]:" + c.port} {
		t.Run(host, func(t *testing.T) {
			c := &configured{t, c.admin, c.port}
			code, found := checkReport(t, "--wp-config", c.file("wp", "secret9", host, ""))
			if f := found["database.connection"]; f.Status != check.StatusOK {
				t.Errorf("exit %d: %+v", code, f)
			}
		})
	}
}

// TestCollationOfWPConfig serves a site with a collation that its server doesn't know.
func TestCollationOfWPConfig(t *testing.T) {
	c := newConfigured(t)
	c.createUser("wp", "secret9", "")
	found := c.checkAndServe(c.file("wp", "secret9", "127.0.0.1:"+c.port, "define('DB_COLLATE', 'utf8mb4_nowhere_ci');"), "secret9")
	if f := found["database.collation"]; f.Status != check.StatusWarn || !strings.Contains(f.Found, "utf8mb4_nowhere_ci") {
		t.Errorf("%+v", f)
	}
}

// TestClientFlagsOfWPConfig serves a site whose user must connect over TLS, to a server with a
// certificate that no authority has signed.
func TestClientFlagsOfWPConfig(t *testing.T) {
	c := newConfigured(t)
	c.createUser("op", "secret9", "REQUIRE SSL")
	host := "127.0.0.1:" + c.port
	for _, flags := range []string{"MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT", "MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_COMPRESS"} {
		t.Run(flags, func(t *testing.T) {
			c := &configured{t, c.admin, c.port}
			c.checkAndServe(c.file("op", "secret9", host, "define('MYSQL_CLIENT_FLAGS', "+flags+");"), "secret9")
		})
	}
	for flags, want := range map[string]string{
		"0": `access denied for user "op"`,
		"MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_VERIFY_SERVER_CERT": "the certificate of the server cannot be verified",
	} {
		code, found := checkReport(t, "--wp-config", c.file("op", "secret9", host, "define('MYSQL_CLIENT_FLAGS', "+flags+");"))
		if f := found["database.connection"]; code != cmdline.Failed || f.Status != check.StatusFail || !strings.Contains(f.Found, want) || strings.Contains(f.Found, "secret9") {
			t.Errorf("%s: exit %d: %+v", flags, code, f)
		}
	}
}

// TestPasswordOfWPConfig changes the password in the database and in wp-config.php while the
// program serves, and reloads.
func TestPasswordOfWPConfig(t *testing.T) {
	c := newConfigured(t)
	c.createUser("wp:x", "first@/", "")
	file := c.file("wp:x", "first@/", "127.0.0.1:"+c.port, "")
	s := spawn(t, nil, "serve", "--wp-config", file)
	c.exec("ALTER USER 'wp:x'@'%' IDENTIFIED BY 'second:/?'")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "first@/", "second:/?", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.reload()
	if resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/events"); resp.StatusCode != http.StatusOK || !strings.Contains(body, `"events":[{`) {
		t.Errorf("%d %.300s", resp.StatusCode, body)
	}
	if log := s.stderr.String(); strings.Contains(log, "reload failed") || strings.Contains(log, "second:/?") {
		t.Error(log)
	}
}

// TestBedrock serves a site on Bedrock, whose settings are in .env: as single variables, and as
// DATABASE_URL.
func TestBedrock(t *testing.T) {
	c := newConfigured(t)
	c.createUser("wp:x", "s@cr/et#9 $HOME", "REQUIRE SSL")
	c.createUser("wp", "s:e@cret9", "")
	application, err := os.ReadFile(filepath.Join("..", "..", "..", "wpstore", "wpconfig", "testdata", "application.php"))
	if err != nil {
		t.Fatal(err)
	}
	for _, project := range []struct{ name, dotenv, password string }{
		{"variables", "DB_NAME=" + c.admin.DBName + "\nDB_USER=\"wp:x\"\nDB_PASSWORD='s@cr/et#9 $HOME'\nDB_HOST=127.0.0.1:" + c.port + " # ours\nDB_SSL=true\n", "s@cr/et#9 $HOME"},
		{"DATABASE_URL", "DB=" + c.admin.DBName + "\nDATABASE_URL=mysql://wp:s:e@cret9@127.0.0.1:" + c.port + "/${DB}\n", "s:e@cret9"},
	} {
		t.Run(project.name, func(t *testing.T) {
			c := &configured{t, c.admin, c.port}
			dir := t.TempDir()
			file := filepath.Join(dir, "config", "application.php")
			writeFile(t, dir, "config/application.php", string(application))
			writeFile(t, dir, ".env", project.dotenv+"DB_PREFIX=wp_\nWP_HOME='https://bedrock.example'\nWP_SITEURL=\"${WP_HOME}/wp\"\nWP_ENV=staging\n")
			writeFile(t, dir, "web/wp/wp-includes/version.php", "<?php\n$wp_version = '6.7.9';\n")
			found := c.checkAndServe(file, project.password)
			if f := found["site.address"]; f.Found != "home https://bedrock.example, siteurl https://bedrock.example/wp" {
				t.Errorf("%+v", f)
			}
			if text := fmt.Sprint(found); !strings.Contains(text, "6.7.9") {
				t.Errorf("no version of WordPress: %s", text)
			}
		})
	}
}
