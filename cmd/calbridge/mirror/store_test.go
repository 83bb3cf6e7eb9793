package mirror

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var town = identity{address: "https://town.example/v1", arguments: "categories=a"}

func open(t *testing.T, file string, source identity) (*store, error) {
	t.Helper()
	s, err := openStore(t.Context(), file, source, time.Now, nil)
	if err == nil {
		t.Cleanup(func() { s.close() })
	}
	return s, err
}

func parsed(t *testing.T, events ...string) (items []item) {
	t.Helper()
	for _, text := range events {
		it, err := parseItem([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, it)
	}
	return items
}

// TestRefusedFiles checks that a mirror writes only to its own copy and leaves other files
// unchanged.
func TestRefusedFiles(t *testing.T) {
	dir := t.TempDir()
	ours := filepath.Join(dir, "ours.sqlite")
	if _, err := open(t, ours, town); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(ours); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	foreign := filepath.Join(dir, "foreign.sqlite")
	for file, statement := range map[string]string{foreign: "CREATE TABLE notes (text TEXT)", ours: ""} {
		if statement != "" {
			db, err := sql.Open("sqlite", file) // without a write-ahead log, like most programs
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
			db.Close()
		}
	}
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("My notes. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(dir, "short")
	if err := os.WriteFile(short, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := town
	other.user = "jana"
	for _, c := range []struct {
		file   string
		source identity
		want   string
	}{
		{foreign, town, "was not created by calbridge mirror"}, {text, town, "was not created by calbridge mirror"}, {short, town, "was not created by calbridge mirror"}, {dir, town, "is a directory"},
		{filepath.Join(dir, "missing", "x"), town, "no such file"},
		{ours, other, "it is a copy of https://town.example/v1 with categories=a: use another file"},
		{ours, identity{address: "https://town.example/en/v1", arguments: "categories=a"}, "use another file"},
	} {
		before, _ := os.ReadFile(c.file)
		if _, err := open(t, c.file, c.source); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v", c.file, c.source, err)
		}
		if after, _ := os.ReadFile(c.file); c.file != ours && string(after) != string(before) {
			t.Errorf("%s has changed", c.file)
		}
	}
	s, err := open(t, ours, town)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec("PRAGMA user_version = 9"); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, ours, town); err == nil || !strings.Contains(err.Error(), "format 9") {
		t.Error(err)
	}
}

// TestApply checks that a list replaces the copy in one step when it is complete, and that
// later items are applied in order.
func TestApply(t *testing.T) {
	s, err := open(t, filepath.Join(t.TempDir(), "c.sqlite"), town)
	if err != nil {
		t.Fatal(err)
	}
	apply := func(from, to position, want string, events ...string) {
		t.Helper()
		if err := s.apply(t.Context(), parsed(t, events...), from, to); err != nil {
			t.Fatal(err)
		}
		var got string
		if err := s.db.QueryRow("SELECT COALESCE(GROUP_CONCAT(id || title, ' '), '') FROM (SELECT * FROM events ORDER BY start_date, id)").Scan(&got); err != nil || got != want {
			t.Errorf("%s, want %s (%v)", got, want, err)
		}
		if at, _, err := s.position(t.Context()); err != nil || at != to {
			t.Errorf("%+v, want %+v (%v)", at, to, err)
		}
	}
	list, page, end := position{listing: true}, position{listing: true, page: "p"}, position{sync: "s"}
	apply(list, page, "", `{"id":1,"title":"a","start_date":"2027-01-02"}`, `{"id":2,"title":"b","start_date":"2027-01-01"}`)
	apply(page, end, "2b 3c 1a", `{"id":3,"title":"c","start_date":"2027-01-01"}`, `{"id":4,"title":"d"}`, `{"id":4,"deleted":true}`)
	apply(end, position{sync: "t"}, "3C 1a", `{"id":2,"title":"B"}`, `{"id":2,"deleted":true}`, `{"id":9,"deleted":true}`, `{"id":3,"title":"x"}`, `{"id":3,"title":"C","start_date":"2027-01-01"}`)

	// The user's own trigger runs only for what a new list changes.
	if _, err := s.db.Exec(`CREATE TABLE heard (what TEXT);
		CREATE TRIGGER a AFTER UPDATE ON events BEGIN INSERT INTO heard VALUES ('changed ' || new.id); END;
		CREATE TRIGGER b AFTER DELETE ON events BEGIN INSERT INTO heard VALUES ('removed ' || old.id); END;
		CREATE TRIGGER c AFTER INSERT ON events BEGIN INSERT INTO heard VALUES ('added ' || new.id); END`); err != nil {
		t.Fatal(err)
	}
	next, err := s.begin(t.Context(), position{sync: "t"})
	if err != nil || next != list {
		t.Fatal(next, err)
	}
	apply(list, page, "3C 1a", `{"id":1,"title":"a","start_date":"2027-01-02"}`)
	if _, err := s.begin(t.Context(), page); err != nil { // discards what has been fetched so far
		t.Fatal(err)
	}
	apply(list, page, "3C 1a", `{"id":3,"title":"C","start_date":"2027-01-01"}`, `{"id":5,"title":"e"}`)
	apply(page, end, "5e 3C")
	apply(end, end, "5e 3C 6f", `{"id":6,"title":"f","start_date":"2027-01-01"}`)
	var heard string
	if err := s.db.QueryRow("SELECT GROUP_CONCAT(what, ', ') FROM (SELECT what FROM heard ORDER BY what)").Scan(&heard); err != nil || heard != "added 5, added 6, removed 1" {
		t.Errorf("%s (%v)", heard, err)
	}

	// A second process detects the first.
	if err := s.apply(t.Context(), parsed(t, `{"id":7}`), position{sync: "old"}, position{sync: "new"}); !errors.Is(err, errOtherWriter) {
		t.Error(err)
	}
	apply(end, end, "5e 3C 6f")
}
