package wordpress_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/wptest"
)

const secret = "a-secret-of-the-test-32-characters"

// site is a WordPress from the system's package, served by PHP's built-in server from a
// test folder, with the companion plugin, a persistent object cache and a probe.
type site struct {
	t     *testing.T
	dir   string
	url   string // ends in a slash
	host  string // that requests name, "" for the one of url
	dsn   string
	token string
	db    *sql.DB
	stop  func() // ends PHP's server; may be called again
}

// newSite installs WordPress and serves it. receivers is CALBRIDGE_URL.
func newSite(t *testing.T, receivers string) *site { return newSiteOn(t, wptest.MariaDB, receivers) }

// newSiteOn installs WordPress in the given database and serves it.
func newSiteOn(t *testing.T, database func(testing.TB) string, receivers string) *site {
	t.Helper()
	php, wordpress := need(t)
	dsn := database(t)
	s := &site{t: t, dir: t.TempDir(), dsn: dsn, token: rand.Text()}
	var err error
	if s.db, err = sql.Open("mysql", dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.db.Close() })
	s.lay(wordpress)
	address := freeAddress(t)
	s.url = "http://" + address + "/"
	s.write("wp-config.php", config(t, dsn, s.url, receivers))

	install := exec.Command(php, "-d", "error_log="+filepath.Join(s.dir, "install.log"), abs(t, "testdata/install.php"))
	install.Dir = s.dir
	install.Env = append(os.Environ(), "HTTP_HOST="+address)
	if out, err := install.CombinedOutput(); err != nil || !strings.Contains(string(out), "installed") {
		t.Fatalf("install WordPress: %v\n%s%s", err, out, s.read("install.log"))
	}
	s.serve(php, address)
	return s
}

// need skips the test when there is no PHP or no WordPress to test with.
func need(t *testing.T) (php, wordpress string) {
	t.Helper()
	php, err := exec.LookPath("php")
	if wordpress = os.Getenv("CALBRIDGE_WORDPRESS"); wordpress == "" {
		wordpress = "/usr/share/wordpress"
	}
	if err == nil {
		_, err = os.Stat(filepath.Join(wordpress, "wp-settings.php"))
	}
	if err == nil && exec.Command(php, "-r", `exit(extension_loaded("mysqli") ? 0 : 1);`).Run() != nil {
		err = errors.New("PHP has no mysqli")
	}
	if err == nil {
		return php, wordpress
	}
	const how = "needs PHP and WordPress (apt-get install wordpress php-cli php-mysql, or CALBRIDGE_WORDPRESS=folder)"
	if os.Getenv("CALBRIDGE_REQUIRE_WORDPRESS") == "1" {
		t.Fatalf("%s: %v", how, err)
	}
	t.Skipf("%s: %v", how, err)
	return "", ""
}

// lay makes a folder that works as a WordPress installation. The entry scripts find the
// folder by their own location, so they are copied; the rest is linked.
func (s *site) lay(wordpress string) {
	scripts, _ := filepath.Glob(filepath.Join(wordpress, "*.php"))
	for _, script := range scripts {
		if filepath.Base(script) != "wp-config.php" {
			s.copy(script, filepath.Base(script))
		}
	}
	for _, name := range []string{"wp-includes", "wp-admin"} {
		if err := os.Symlink(filepath.Join(wordpress, name), filepath.Join(s.dir, name)); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, name := range []string{"mu-plugins", "cached"} {
		if err := os.MkdirAll(filepath.Join(s.dir, "wp-content", name), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	s.copy("calbridge-companion.php", "wp-content/mu-plugins/calbridge-companion.php")
	s.copy("calbridge-companion-facts.php", "wp-content/mu-plugins/calbridge-companion-facts.php")
	s.copy("calbridge-companion-code.php", "wp-content/mu-plugins/calbridge-companion-code.php")
	s.copy("testdata/probe.php", "wp-content/mu-plugins/probe.php")
	s.copy("testdata/object-cache.php", "wp-content/object-cache.php")
}

// config returns a wp-config.php. A file named "no-secret" next to it removes the secret.
func config(t *testing.T, dsn, home, receivers string) string {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	host := cfg.Addr
	if cfg.Net == "unix" {
		host = "localhost:" + cfg.Addr
	}
	var b strings.Builder
	b.WriteString("<?php\n")
	for _, c := range [][2]string{
		{"DB_NAME", cfg.DBName}, {"DB_USER", cfg.User}, {"DB_PASSWORD", cfg.Passwd}, {"DB_HOST", host}, {"DB_CHARSET", "utf8mb4"}, {"DB_COLLATE", ""},
		{"WP_HOME", strings.TrimSuffix(home, "/")}, {"WP_SITEURL", strings.TrimSuffix(home, "/")}, {"CALBRIDGE_URL", receivers},
	} {
		fmt.Fprintf(&b, "define('%s', '%s');\n", c[0], c[1])
	}
	for _, name := range []string{"DISABLE_WP_CRON", "WP_HTTP_BLOCK_EXTERNAL", "AUTOMATIC_UPDATER_DISABLED"} {
		fmt.Fprintf(&b, "define('%s', true);\n", name)
	}
	fmt.Fprintf(&b, "if (!file_exists(__DIR__ . '/no-secret')) {\n\tdefine('CALBRIDGE_SECRET', '%s');\n}\n", secret)
	b.WriteString("$table_prefix = 'wp_';\ndefined('ABSPATH') || define('ABSPATH', __DIR__ . '/');\nrequire_once ABSPATH . 'wp-settings.php';\n")
	return b.String()
}

// serve runs PHP's server in its own process group. A shell ends the group when this
// process ends.
func (s *site) serve(php, address string) {
	const watch = `"$@" & cat >/dev/null; kill -9 0`
	cmd := exec.Command("sh", "-c", watch, "sh", php, "-d", "display_errors=0", "-d", "log_errors=1", "-d", "error_log="+filepath.Join(s.dir, "php.log"),
		"-S", address, "-t", s.dir)
	cmd.Env = append(os.Environ(), "PHP_CLI_SERVER_WORKERS=3", "PROBE_TOKEN="+s.token)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.stop = func() {
		_ = lifeline.Close()
		_ = cmd.Wait()
	}
	s.t.Cleanup(func() {
		s.stop()
		if s.t.Failed() {
			s.t.Logf("PHP's log:\n%s", s.read("php.log"))
		}
	})
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return
		}
	}
	s.t.Fatal("PHP's server does not answer")
}

// php evaluates an expression inside WordPress and returns its value as JSON.
func (s *site) php(expression string, arguments ...any) string {
	s.t.Helper()
	code := fmt.Sprintf(expression, arguments...)
	req, err := http.NewRequest(http.MethodPost, s.url+"index.php", strings.NewReader(url.Values{"probe": {code}, "token": {s.token}}.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Host = s.host
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !json.Valid(text) {
		s.t.Fatalf("%s: status %d, %v\n%.200s", code, resp.StatusCode, err, text)
	}
	return string(text)
}

// is checks the value of an expression.
func (s *site) is(want, expression string, arguments ...any) {
	s.t.Helper()
	if got := s.php(expression, arguments...); got != want {
		s.t.Errorf("%s: %s, want %s", fmt.Sprintf(expression, arguments...), got, want)
	}
}

// id evaluates an expression that creates an object, and returns its id.
func (s *site) id(expression string, arguments ...any) int64 {
	s.t.Helper()
	var id int64
	if err := json.Unmarshal([]byte(s.php(expression, arguments...)), &id); err != nil || id <= 0 {
		s.t.Fatalf("%s: id %d, %v", fmt.Sprintf(expression, arguments...), id, err)
	}
	return id
}

// sql changes rows directly, without WordPress.
func (s *site) sql(statement string, arguments ...any) int64 {
	s.t.Helper()
	result, err := s.db.Exec(statement, arguments...)
	if err != nil {
		s.t.Fatal(err)
	}
	id, _ := result.LastInsertId()
	return id
}

// log returns what the probe has logged since the last call.
func (s *site) log() string {
	text := s.read("wp-content/log")
	s.remove("wp-content/log")
	return text
}

func (s *site) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(s.dir, name))
	return string(text)
}

func (s *site) remove(name string) { _ = os.Remove(filepath.Join(s.dir, name)) }

func (s *site) write(name, text string) {
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) copy(from, to string) {
	text, err := os.ReadFile(from)
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(to, string(text))
}

func abs(t *testing.T, path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

func freeAddress(t *testing.T) string { return fmt.Sprintf("127.0.0.1:%d", wptest.FreePort(t)) }

// listen serves a handler at an address that was used before.
func listen(t *testing.T, address string, handler http.Handler) *httptest.Server {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
	server.Start()
	return server
}

// expr returns a PHP expression; it is short for fmt.Sprintf.
func expr(format string, arguments ...any) string { return fmt.Sprintf(format, arguments...) }

// signAt signs a notice.
func signAt(header http.Header, at time.Time, body string) {
	signFor(header, "to-wordpress notice", at, body)
}

// signFor signs a message by the protocol, independently of the code under test.
func signFor(header http.Header, purpose string, at time.Time, body string) {
	timestamp, nonce := strconv.FormatInt(at.Unix(), 10), strings.ToLower(hex.EncodeToString([]byte(rand.Text()[:16])))
	h := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(h, "calbridge 1\n"+purpose+"\n"+timestamp+"\n"+nonce+"\n"+body)
	header.Set("X-Calbridge-Timestamp", timestamp)
	header.Set("X-Calbridge-Nonce", nonce)
	header.Set("X-Calbridge-Signature", hex.EncodeToString(h.Sum(nil)))
}
