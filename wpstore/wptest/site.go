package wptest

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"calbridge/testdata"
	"calbridge/wpstore/sqlite"
)

// Database is a site's database, ready to be opened: sitedb.Config has these fields under
// the same names.
type Database struct {
	Engine      string // "mariadb" or "sqlite"
	DSN         string
	TablePrefix string
	Home        string
	Now         func() time.Time // always the time of the recordings
}

// SiteInfo is the part of the JSON file next to a dump that tests of the store need.
type SiteInfo struct {
	Home        string `json:"home"`
	TablePrefix string `json:"table_prefix"`
	Clock       struct {
		Epoch int64 `json:"epoch"`
	} `json:"clock"`
}

// Now returns the time at which the site was recorded.
func (s SiteInfo) Now() time.Time { return time.Unix(s.Clock.Epoch, 0).UTC() }

// Info reads the JSON file next to the dump of a site.
func Info(t testing.TB, site string) SiteInfo {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "sites", site+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var info SiteInfo
	if err := json.Unmarshal(data, &info); err != nil {
		t.Fatalf("%s.json: %v", site, err)
	}
	return info
}

// Engines lists the engines on which tests of the store run.
func Engines() []string { return []string{"sqlite", "mariadb"} }

// Site returns the database of a site ("mono", "wpml", "poly"), read only: on MariaDB all
// tests of the process share it. Use [SiteCopy] for writing.
func Site(t testing.TB, engine, site string) Database {
	t.Helper()
	// Leave nothing behind on an external server.
	if engine != "mariadb" || os.Getenv("CALBRIDGE_TEST_DSN") != "" {
		return SiteCopy(t, engine, site)
	}
	d := describe(t, engine, site)
	use, dump := need(t, server), dumpPath(t, site)
	d.DSN = string(once(t, "mariadb "+dump, func() ([]byte, error) {
		dsn, _, err := create(use)
		if err != nil {
			return nil, err
		}
		return []byte(dsn), loadServer(dsn, dump)
	}))
	return d
}

// SiteCopy returns a database of a site for one test.
func SiteCopy(t testing.TB, engine, site string) Database {
	t.Helper()
	d := describe(t, engine, site)
	dump := dumpPath(t, site)
	if engine == "mariadb" {
		d.DSN = MariaDB(t)
		if err := loadServer(d.DSN, dump); err != nil {
			t.Fatal(err)
		}
		return d
	}
	path := filepath.Join(t.TempDir(), site+".sqlite")
	image := once(t, "sqlite "+dump, func() ([]byte, error) { return sqliteImage(dump) })
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatal(err)
	}
	d.DSN = "sqlite:" + path
	return d
}

// ReplicatedSite returns a database of a site on a server like that of [Replicated].
func ReplicatedSite(t testing.TB, site string, options ...string) Database {
	t.Helper()
	d := describe(t, "mariadb", site)
	d.DSN = Replicated(t, options...)
	if err := loadServer(d.DSN, dumpPath(t, site)); err != nil {
		t.Fatal(err)
	}
	return d
}

func describe(t testing.TB, engine, site string) Database {
	t.Helper()
	if engine != "mariadb" && engine != "sqlite" {
		t.Fatalf("engine %q: mariadb or sqlite", engine)
	}
	info := Info(t, site)
	return Database{Engine: engine, TablePrefix: info.TablePrefix, Home: info.Home, Now: info.Now}
}

func dumpPath(t testing.TB, site string) string {
	return testdata.Shared(t, "sites", site+".sql.gz")
}

// loaded caches for each engine and dump a function that returns the DSN of the database,
// or the bytes of the SQLite file.
var loaded sync.Map

// once returns the result of the first load for the key.
func once(t testing.TB, key string, load func() ([]byte, error)) []byte {
	t.Helper()
	first, _ := loaded.LoadOrStore(key, sync.OnceValues(load))
	result, err := first.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// sqliteImage loads a dump into a file and returns its bytes.
func sqliteImage(path string) ([]byte, error) {
	dump, err := readDump(path)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "calbridge-db-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "image.sqlite")
	connector, err := sqlite.NewConnector(file, time.Now)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	err = loadSQLite(context.Background(), db, dump)
	// Closing the last connection moves the write-ahead log into the file.
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return os.ReadFile(file)
}
