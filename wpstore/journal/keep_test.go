package journal

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/statedir"
)

// testFile returns an open file without a site.
func testFile(t *testing.T, dir, name string) *file {
	t.Helper()
	folder, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := openFile(t.Context(), folder, Identity{Site: name}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.close() })
	return f
}

// TestFile: a file belongs to one site and one user at a time; another site's, or a damaged
// one, is replaced with another secret.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	f := testFile(t, dir, "a")
	if _, err := lockFolder(dir); !errors.Is(err, statedir.ErrInUse) {
		t.Errorf("locked twice: %v", err)
	}
	info, err := os.Stat(filepath.Join(dir, fileName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	id, run := f.id, f.run
	_ = f.close()
	f = testFile(t, dir, "a")
	if f.id != id || f.run == run {
		t.Errorf("opened again: id %s, run %s", f.id, f.run)
	}
	_ = f.close()
	f = testFile(t, dir, "b")
	if f.id == id {
		t.Error("another site has the same file")
	}
	id = f.id
	_ = f.close()
	f = testFile(t, dir, "b")
	err = f.within(t.Context(), func(tx *sql.Tx) error {
		return exec(t.Context(), tx, sq.Insert("times").Values(1, 2, "no number"))
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = f.close()
	if f = testFile(t, dir, "b"); f.id == id {
		t.Error("a file with a value of another type is used")
	}
	id = f.id
	_ = f.close()
	for _, damage := range [][]byte{[]byte("no database at all, but some text"), make([]byte, 100_000)} {
		if err := os.WriteFile(filepath.Join(dir, fileName), damage, 0o600); err != nil {
			t.Fatal(err)
		}
		f = testFile(t, dir, "b")
		if f.id == id {
			t.Error("a damaged file is used")
		}
		_ = f.close()
	}
}

// TestClosedWhileOpening: a journal that is closed while it opens its file, as at two reloads in
// quick succession, leaves the file as it is.
func TestClosedWhileOpening(t *testing.T) {
	dir := t.TempDir()
	f := testFile(t, dir, "a")
	id := f.id
	_ = f.close()
	folder, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openFile(ctx, folder, Identity{Site: "a"}, time.Now); !errors.Is(err, context.Canceled) {
		t.Errorf("opened: %v", err)
	}
	if f = testFile(t, dir, "a"); f.id != id {
		t.Error("the file was replaced")
	}
}

// TestPrune: what is too old is removed, and the first ones of what is too many; positions
// before that have expired.
func TestPrune(t *testing.T) {
	f := testFile(t, t.TempDir(), "a")
	now := time.Unix(1_700_000_000, 0)
	const count = 2500
	err := f.within(t.Context(), func(tx *sql.Tx) error {
		for seq := range int64(count) {
			w := writer{tx: tx, seq: seq + 1}
			w.add(kindEvent, seq, nil)
			w.add(kindEvent, seq+1, nil)
			if err := w.flush(t.Context(), now.Add(time.Duration(seq)*time.Second), 2*seq+2); err != nil {
				return err
			}
		}
		return setMeta(t.Context(), tx, metaSeq, text(count))
	})
	if err != nil {
		t.Fatal(err)
	}
	j := &Journal{cfg: Config{Keep: time.Hour, Most: 1000, Logger: slog.New(slog.DiscardHandler)}, file: f, queue: newQueue(time.Now), keeper: keeper{total: 2 * count}}
	first := func() (seq, rows int64) {
		t.Helper()
		if err := sq.Select("MIN(seq)", "COUNT(*)").From("changes").RunWith(f.db).QueryRowContext(context.Background()).Scan(&seq, &rows); err != nil {
			t.Fatal(err)
		}
		return seq, rows
	}
	if err := (recorder{j}).prune(t.Context(), now.Add(time.Hour)); err != nil { // nothing is too old
		t.Fatal(err)
	}
	if seq, rows := first(); seq != 2001 || rows != 1000 {
		t.Errorf("of too many %d rows are left from %d on", rows, seq)
	}
	if err := (recorder{j}).prune(t.Context(), now.Add(time.Hour+2300*time.Second)); err != nil {
		t.Fatal(err)
	}
	if seq, _ := first(); seq != 2301 {
		t.Errorf("the first that isn't too old is %d", seq)
	}
	for seq, want := range map[int64]error{2300: nil, 2400: nil, 2299: Unusable(ReasonExpired), 0: Unusable(ReasonExpired)} {
		if _, err := j.Since(t.Context(), Position{f.run, seq}, count, 1_000_000); err != want {
			t.Errorf("since %d: %v, want %v", seq, err, want)
		}
	}
	if _, err := j.Since(t.Context(), Position{"another", 2400}, count, 1000); err != Unusable(ReasonGap) {
		t.Errorf("of another run: %v", err)
	}
	if _, err := j.Since(t.Context(), Position{f.run, 2400}, count, 10); err != Unusable(ReasonMany) {
		t.Errorf("of too many: %v", err)
	}
}

// TestUpgrade: opening a file of an older format that can be read turns it into one of this format and
// keeps its secret. All events count as changed, and what a power failure took back stays unusable.
func TestUpgrade(t *testing.T) {
	const state = "of the event"
	for name, c := range map[string]struct {
		format, site, shows string
		of                  Identity
		kept                bool
		changes             int64
	}{
		"the same":          {"5", "a", "1", Identity{"a", "1"}, true, 0},
		"another version":   {"5", "a", "1", Identity{"a", "2"}, true, 1},
		"named by a build":  {"4", "build", "", Identity{"a", "1"}, true, 1},
		"another site":      {"5", "b", "1", Identity{"a", "1"}, false, 0},
		"of 0.1.0":          {"3", "a", "1", Identity{"a", "1"}, false, 0},
		"newer":             {"6", "a", "1", Identity{"a", "1"}, false, 0},
		"without a version": {"", "a", "1", Identity{"a", "1"}, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f := testFile(t, dir, "a")
			id, run := f.id, f.run
			err := f.within(t.Context(), func(tx *sql.Tx) error {
				for name, value := range map[string]string{metaFormat: c.format, metaSite: c.site, metaShows: c.shows, metaSeq: "7"} {
					if err := setMeta(t.Context(), tx, name, value); err != nil {
						return err
					}
				}
				return exec(t.Context(), tx, sq.Insert("states").Values(firstEvent, []byte(state)))
			})
			if err := errors.Join(err, f.close()); err != nil {
				t.Fatal(err)
			}
			folder, err := lockFolder(dir)
			if err != nil {
				t.Fatal(err)
			}
			if f, err = openFile(t.Context(), folder, c.of, time.Now); err != nil {
				t.Fatal(err)
			}
			defer f.close()
			if (f.id == id) != c.kept || (f.replaced == nil) != c.kept {
				t.Fatalf("kept: %t, replaced: %v", f.id == id, f.replaced)
			}
			meta, err := f.meta(t.Context(), f.db)
			if err != nil || meta[metaFormat] != "5" || meta[metaSite] != "a" || meta[metaShows] != c.of.Shows {
				t.Errorf("%v %v", meta, err)
			}
			if !c.kept {
				return
			}
			var changes int64
			query := sq.Select("COUNT(*)").From("changes").Where(sq.Eq{"seq": 8, "kind": kindEvent, "id": firstEvent, "before": []byte(state)})
			if err := query.RunWith(f.db).QueryRowContext(t.Context()).Scan(&changes); err != nil || changes != c.changes || f.seq != 7+c.changes || f.total != c.changes || meta[metaSeq] != text(f.seq) {
				t.Errorf("%d changes, at %d of %d: %v", changes, f.seq, f.total, err)
			}
			tx, err := f.db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback()
			if err := usable(t.Context(), f, tx, Position{run, 7}); err != nil {
				t.Error(err)
			}
			if err := usable(t.Context(), f, tx, Position{run, 8}); !errors.Is(err, Unusable(ReasonGap)) {
				t.Errorf("a position that was lost: %v", err)
			}
		})
	}
}
