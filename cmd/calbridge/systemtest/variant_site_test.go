package systemtest

import (
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/compat/profile"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// variant is a kind of site of recordings/variants, made of the site mono.
type variant struct {
	Label        string            `json:"label"`
	WordPress    string            `json:"wordpress"`
	Calendar     string            `json:"the_events_calendar"`
	EventTickets string            `json:"event_tickets"`
	Theme        string            `json:"theme"`
	Locale       string            `json:"locale"`
	Strings      map[string]any    `json:"locale_strings"`
	Plugins      []string          `json:"active_plugins"`
	Hook         bool              `json:"hook"`
	Files        map[string]string `json:"files"`        // by path in the WordPress folder
	Binary       map[string][]byte `json:"files_base64"` // the same
	WPConfig     []string          `json:"wp_config"`    // statements of wp-config.php
	DBCharset    string            `json:"db_charset"`   // DB_CHARSET, "" for utf8mb4
	Flags        []string          `json:"flags"`        // that calbridge needs

	Dump          string   `json:"dump"` // instead of mono's
	ImportCharset string   `json:"import_charset"`
	SQL           []string `json:"sql"`
}

// variants are all variants.
func variants(t *testing.T) []variant {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "recordings", "variants", "variants.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Variants []variant }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Variants
}

// load fills a database with the variant and returns it with the time of its recordings.
func (v *variant) load(t *testing.T) (dsn, now string) {
	t.Helper()
	path := testdata.Shared(t, "sites", "mono.sql.gz")
	if v.Dump != "" {
		path = testdata.Shared(t, "sites", "variants", v.Dump)
	}
	dump := unpacked(t, path)
	dsn = wptest.MariaDB(t)
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	cfg.MultiStatements = true
	if v.ImportCharset == "latin1" {
		dump = regexp.MustCompile(`utf8mb4(_[a-z0-9_]+)`).ReplaceAllString(dump, "latin1_swedish_ci")
		dump = regexp.MustCompile(`utf8mb4`).ReplaceAllString(dump, "latin1")
		if err := cfg.Apply(mysql.Charset("latin1", "latin1_swedish_ci")); err != nil {
			t.Fatal(err)
		}
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	conn, err := db.Conn(t.Context()) // statements may change the session
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, statement := range append([]string{dump}, v.SQL...) {
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", v.Label, err)
		}
	}
	return dsn, wptest.Info(t, "mono").Now().Format(time.RFC3339)
}

func unpacked(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// buildProfileFile writes the profile of a recorded site.
func buildProfileFile(t *testing.T, shared, site string) string {
	t.Helper()
	p, err := profile.Build(profile.Options{
		Recordings: []string{filepath.Join(shared, "recordings", site, "*.jsonl.gz")}, Site: filepath.Join(shared, "sites", site+".json"),
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "profile.json")
	if err := p.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	return file
}
