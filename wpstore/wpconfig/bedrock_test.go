package wpconfig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/wpstore/dbaddr"
	"calbridge/wpstore/php"
)

// readApplication returns a config/application.php as projects on Bedrock have it.
func readApplication(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/application.php")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// bedrock writes a project and reads its settings.
func bedrock(t *testing.T, application string, files map[string]string) (*File, string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "config"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("config", "application.php")
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, file), []byte(application), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Read(filepath.Join(dir, file), func(name string) string { return map[string]string{"DB_HOST": ""}[name] })
	return f, dir, err
}

func TestBedrock(t *testing.T) {
	const dotenv = "DB_NAME='cal'\nDB_USER=\"u:x\"\nDB_PASSWORD='p@ss/w#$ord'\n# DB_HOST='localhost'\nDB_HOST=db:3307\nDB_PREFIX=b_\nWP_ENV=staging\n" +
		"WP_HOME='https://a.example'\nWP_SITEURL=\"${WP_HOME}/wp\"\nAUTH_KEY='k$e\"y'\nDISABLE_WP_CRON=true\nWP_POST_REVISIONS=5\n"
	f, dir, err := bedrock(t, readApplication(t), map[string]string{".env": dotenv, ".env.local": "DB_SSL=1\n"})
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := f.Database()
	if err != nil || (dbaddr.Address{MySQL: cfg}).String() != "u:x@tcp(db:3307)/cal" || cfg.Passwd != "p@ss/w#$ord" || cfg.TLS == nil {
		t.Errorf("%+v, %v", cfg, err)
	}
	for name, want := range map[string]string{
		"$table_prefix": "b_", "WP_HOME": "https://a.example", "WP_SITEURL": "https://a.example/wp", "WP_ENVIRONMENT_TYPE": "staging", "AUTH_KEY": `k$e"y`,
		"DISABLE_WP_CRON": "1", "WP_POST_REVISIONS": "5", "WP_CONTENT_DIR": filepath.Join(dir, "web", "app"), "WP_CONTENT_URL": "https://a.example/app",
	} {
		if got, ok := f.Text(name); !ok || got != want {
			t.Errorf("%s is %q, want %q: %+v", name, got, want, f.Settings[name])
		}
	}
	if dirs := f.WordPressDirs(); len(dirs) != 2 || dirs[1] != filepath.Join(dir, "web", "wp") {
		t.Error(dirs)
	}
}

// TestBedrockDatabaseURL checks that DATABASE_URL wins over the other variables. As in PHP,
// nothing in it is decoded unless the file does so.
func TestBedrockDatabaseURL(t *testing.T) {
	application := readApplication(t)
	decoding := strings.NewReplacer("$dsn->user", "urldecode($dsn->user)", "? $dsn->pass", "? rawurldecode($dsn->pass)").Replace(application)
	for _, c := range []struct{ name, application, url, want, password string }{
		{"usual", application, "mysql://u:secret@db:3307/cal?charset=utf8mb4", "u@tcp(db:3307)/cal", "secret"},
		{"without a port and a password", application, "mysql://u@db/cal", "u@tcp(db:3306)/cal", ""},
		{"IPv6", application, "mysql://u:secret@[::1]:3307/cal", "u@tcp([::1]:3307)/cal", "secret"},
		{"signs", application, "mysql://u:s:e@cr%40et@db/cal", "u@tcp(db:3306)/cal", "s:e@cr%40et"},
		{"decoded", decoding, "mysql://u%3Ax:s%40%2F%zz+@db/cal", "u:x@tcp(db:3306)/cal", "s@/%zz+"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, _, err := bedrock(t, c.application, map[string]string{".env": "DB_NAME=other\nDB_HOST=other\nDATABASE_URL='" + c.url + "'\n"})
			if err != nil {
				t.Fatal(err)
			}
			cfg, err := f.Database()
			if err != nil || (dbaddr.Address{MySQL: cfg}).String() != c.want || cfg.Passwd != c.password {
				t.Errorf("%v, %v", cfg, err)
			}
		})
	}
}

func TestBedrockErrors(t *testing.T) {
	_, dir, err := bedrock(t, readApplication(t), map[string]string{".env": "A=1\nDB_PASSWORD=se cret\n"})
	if want := filepath.Join(dir, ".env") + ": line 2: the value of DB_PASSWORD has a blank"; err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "cret") {
		t.Errorf("%v, want %s", err, want)
	}
	f, dir, err := bedrock(t, readApplication(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.Database(); err == nil || !strings.Contains(err.Error(), "DB_NAME comes from the environment variable DB_NAME, which is not set here") {
		t.Error(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "web"), 0o700); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "web", "wp-config.php")
	if err := os.WriteFile(config, []byte("<?php require_once dirname(__DIR__) . '/config/application.php'; require_once ABSPATH . 'wp-settings.php';"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err = Read(config, environment); err != nil {
		t.Fatal(err)
	}
	if _, err = f.Database(); err == nil || !strings.Contains(err.Error(), "this is a site on Bedrock, whose settings are in "+filepath.Join(dir, "config", "application.php")) {
		t.Error(err)
	}
}

// TestParseURL checks the parts of URLs. They are those of parse_url of PHP 8.2.36.
func TestParseURL(t *testing.T) {
	for url, want := range map[string]string{
		"mysql://u:p@h:3307/db?x=1#f": "u p h 3307 /db x=1 f",
		"mysql://u:p%40@h/db":         "u p%40 h  /db  ",
		"mysql://u:p@q@h/db":          "u p@q h  /db  ",
		"mysql://u:a/b@h/db":          "",
		"mysql://u@h":                 "u  h    ",
		"mysql://h/db":                "  h  /db  ",
		"mysql://u:p@[::1]:3307/db":   "u p [::1] 3307 /db  ",
		"mysql://u:p@:1/db":           "",
		"mysql://u:p@h:99999/db":      "",
		"mysql://u:p@h:/db":           "u p h  /db  ",
		"mysql://u:a:b@h/db#f":        "u a:b h  /db  f",
		"mysql://u:p?q@h/db":          "",
		"mysql://u:\x01é@h/d":         "u _é h  /d  ",
		"mysql://u:p@h:0/db":          "u p h 0 /db  ",
		"mysql:u":                     "",
	} {
		t.Run(url, func(t *testing.T) {
			parts, ok := parseURL(url)
			var got string
			if ok {
				var list []string
				for _, name := range []string{"user", "pass", "host", "port", "path", "query", "fragment"} {
					list = append(list, php.ToString(parts.At(name)))
				}
				got = strings.Join(list, " ")
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// FuzzParseURL checks that the parts of a URL are found again.
func FuzzParseURL(f *testing.F) {
	f.Add("u", "p", "db")
	f.Add("", "@:", "[::1]")
	f.Fuzz(func(t *testing.T, user, password, host string) {
		parseURL(user + password + host)
		if strings.ContainsAny(user+password+host, "/?#\x7f") || strings.ContainsAny(user, ":@") || strings.ContainsAny(host, ":@") || host == "" ||
			strings.ContainsFunc(user+password+host, func(r rune) bool { return r < ' ' }) {
			return // written otherwise
		}
		parts, ok := parseURL("mysql://" + user + ":" + password + "@" + host + "/x")
		if !ok || parts.At("user") != user || parts.At("pass") != password || parts.At("host") != host {
			t.Errorf("%+v, %v", parts, ok)
		}
	})
}
