package wptest

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/testdata"
)

// Variant is a kind of site from recordings/variants, derived from the site mono.
type Variant struct {
	Label        string            `json:"label"`
	Kind         string            `json:"kind"`
	WordPress    string            `json:"wordpress"`
	Calendar     string            `json:"the_events_calendar"`
	EventTickets string            `json:"event_tickets"`
	Theme        string            `json:"theme"`
	Locale       string            `json:"locale"`
	Texts        map[string]any    `json:"locale_strings"` // of the language packs, by names of langpack.Texts
	Plugins      []string          `json:"active_plugins"`
	Hook         bool              `json:"hook"`
	Files        map[string]string `json:"files"`        // by path in the WordPress folder
	Binary       map[string][]byte `json:"files_base64"` // also by path
	WPConfig     []string          `json:"wp_config"`    // statements of wp-config.php
	DBCharset    string            `json:"db_charset"`   // DB_CHARSET, "" for utf8mb4
	Flags        []string          `json:"flags"`        // that calbridge needs

	Dump          string   `json:"dump"` // instead of mono's
	ImportCharset string   `json:"import_charset"`
	SQL           []string `json:"sql"`
}

// Variants returns all variants.
func Variants(t testing.TB) []Variant {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "recordings", "variants", "variants.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Variants []Variant }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Variants
}

// VariantCopy returns a database of a variant on the server, for one test.
func VariantCopy(t testing.TB, v *Variant) Database {
	t.Helper()
	return variantOn(t, v, MariaDB(t))
}

// ReplicatedVariant returns a database of a variant on a server like that of [Replicated].
func ReplicatedVariant(t testing.TB, v *Variant) Database {
	t.Helper()
	return variantOn(t, v, Replicated(t))
}

// variantOn fills an empty database.
func variantOn(t testing.TB, v *Variant, dsn string) Database {
	t.Helper()
	d := describe(t, "mariadb", "mono")
	path := dumpPath(t, "mono")
	if v.Dump != "" {
		path = testdata.Shared(t, "sites", "variants", v.Dump)
	}
	d.DSN = dsn
	if err := loadVariant(t.Context(), d.DSN, path, v); err != nil {
		t.Fatalf("%s: %v", v.Label, err)
	}
	return d
}

func loadVariant(ctx context.Context, dsn, path string, v *Variant) error {
	dump, err := readDump(path)
	if err != nil {
		return err
	}
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return err
	}
	cfg.MultiStatements = true
	if v.ImportCharset == "latin1" {
		dump = strings.NewReplacer("utf8mb4_unicode_520_ci", "latin1_swedish_ci", "utf8mb4", "latin1").Replace(dump)
		if err := cfg.Apply(mysql.Charset("latin1", "latin1_swedish_ci")); err != nil {
			return err
		}
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	conn, err := db.Conn(ctx) // statements may change the session
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, statement := range append([]string{dump}, v.SQL...) {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
