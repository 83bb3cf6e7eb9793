package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/sqlite"
	"calbridge/wpstore/statedir"
)

const (
	// format is the version of the tables, and of what they mean. A new one needs a step in
	// [file.upgrade], or files of older formats are replaced.
	format = 5
	// formatBuild is the oldest format that is read. Its files are named after a build, so that
	// their name tells nothing.
	formatBuild = 4
)

// fileName is that of the file in the state folder.
const fileName = "journal.sqlite"

// tables are those of the file. The first positions of runs ascend with their numbers.
// times.total is how many changes were recorded up to a sequence number, in all.
var tables = [...]string{
	"CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
	"CREATE TABLE runs (run TEXT PRIMARY KEY, number INTEGER NOT NULL, first INTEGER NOT NULL)",
	"CREATE INDEX runs_number ON runs (number)",
	"CREATE TABLE breaks (seq INTEGER PRIMARY KEY, reason TEXT NOT NULL)",
	"CREATE TABLE times (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, total INTEGER NOT NULL)",
	"CREATE TABLE changes (seq INTEGER NOT NULL, kind INTEGER NOT NULL, id INTEGER NOT NULL, before BLOB, PRIMARY KEY (seq, kind, id)) WITHOUT ROWID",
	"CREATE TABLE states (id INTEGER PRIMARY KEY, state BLOB NOT NULL)",
	"CREATE TABLE posts (id INTEGER PRIMARY KEY, exposure TEXT NOT NULL)",
	"CREATE TABLE terms (id INTEGER PRIMARY KEY, texts TEXT NOT NULL)",
	"CREATE TABLE shown (rights TEXT NOT NULL, kind INTEGER NOT NULL, id INTEGER NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (rights, kind, id, event)) WITHOUT ROWID",
}

// Names in the table meta.
const (
	metaFormat = "format"
	metaSite   = "site"
	metaID     = "id"
	metaSecret = "secret"
	metaSeq    = "seq"
	metaFloor  = "floor"
	metaReader = "reader" // which reads the states, in Base64; "" until all are loaded
	metaSet    = "set"    // Site.Settings
	metaMade   = "made"   // Site.Made of the tables that the states are from
	metaMark   = "mark"   // where in the log the changes end that were recorded; "" for unknown
	metaShows  = "shows"  // Identity.Shows of the last process
)

// file is an open file.
type file struct {
	db   *sql.DB
	path string
	of   Identity
	now  func() time.Time
	// replaced is why a file that was there was replaced; nil if none was.
	replaced error
	// id and secret are the file's own; run is that of this process.
	id     string
	secret []byte
	run    string
	folder *statedir.Folder
	// What an earlier process has left: its last sequence number, its mark, and how many
	// changes were recorded.
	seq   int64
	mark  string
	total int64
}

// openFile opens the file of a site in a folder, or replaces it. The folder is closed with it.
func openFile(ctx context.Context, folder *statedir.Folder, of Identity, now func() time.Time) (*file, error) {
	f := &file{path: folder.Path(fileName), folder: folder, of: of, now: now}
	if err := f.openOrMake(ctx); err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return f, nil
}

// close closes the file and gives the lock back.
func (f *file) close() error { return errors.Join(f.db.Close(), f.folder.Close()) }

// again replaces the file, and its folder where that is gone.
func (f *file) again(ctx context.Context) error {
	_ = f.db.Close()
	if !f.folder.Locked() {
		if err := f.folder.Relock(); err != nil {
			return err
		}
	}
	if err := f.remove(); err != nil {
		return err
	}
	return f.openOrMake(ctx)
}

// gone reports whether the file isn't in its folder any more. What is written to it then is lost
// with the process.
func (f *file) gone() bool {
	_, err := os.Stat(f.path)
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func (f *file) remove() error {
	for _, ending := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(f.path + ending); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("replace the journal: %w", err)
		}
	}
	return nil
}

// openOrMake replaces the file if it is another site's, of a format that can't be read, or
// damaged. Any other error, such as that the journal is closed meanwhile, leaves the file as it is.
func (f *file) openOrMake(ctx context.Context) error {
	f.replaced = nil
	for attempt := 0; ; attempt++ {
		err := f.open(ctx)
		if err == nil {
			return nil
		}
		if f.db != nil {
			_ = f.db.Close()
		}
		if attempt > 0 || !errors.Is(err, errOther) && !damaged(err) {
			return fmt.Errorf("open the journal %s (it may be deleted): %w", f.path, err)
		}
		f.replaced = err
		if err := f.remove(); err != nil {
			return err
		}
	}
}

// errOther matches errors for files that are whole, but can't be used.
var errOther = errors.New("the file can't be used")

func (f *file) open(ctx context.Context) error {
	made, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := made.Stat()
	if err := errors.Join(err, made.Chmod(0o600), made.Close()); err != nil {
		return err
	}
	connector, err := sqlite.NewConnector(f.path, time.Now)
	if err != nil {
		return err
	}
	f.db = sql.OpenDB(connector)
	f.db.SetMaxIdleConns(4)
	return f.within(ctx, func(tx *sql.Tx) error {
		if info.Size() == 0 {
			if err := f.create(ctx, tx); err != nil {
				return err
			}
		}
		meta, err := f.meta(ctx, tx)
		if err != nil {
			return err
		}
		if err := f.usable(meta); err != nil {
			return err
		}
		f.id = meta[metaID]
		if f.secret, err = hex.DecodeString(meta[metaSecret]); err != nil || len(f.secret) != 32 || f.id == "" {
			return fmt.Errorf("%w: it has no secret", errOther)
		}
		f.run, f.seq, f.mark = random(8), number(meta[metaSeq]), meta[metaMark]
		var last, total sql.NullInt64
		if err := sq.Select("MAX(total)").From("times").Where("seq = (SELECT MAX(seq) FROM times)").RunWith(tx).QueryRowContext(ctx).Scan(&total); err != nil {
			return err
		}
		f.total = total.Int64
		if err := sq.Select("MAX(number)").From("runs").RunWith(tx).QueryRowContext(ctx).Scan(&last); err != nil {
			return err
		}
		// The run begins where the last one has ended: what that has lost is found by this.
		if err := exec(ctx, tx, sq.Insert("runs").Values(f.run, last.Int64+1, f.seq)); err != nil {
			return err
		}
		return f.upgrade(ctx, tx, meta)
	})
}

// usable returns an error that matches [errOther] if the file is of a format that can't be read, or
// another site's. What files of formatBuild are about is found out later: those of another site have
// another mark and other tables.
func (f *file) usable(meta map[string]string) error {
	switch n := number(meta[metaFormat]); {
	case n > format:
		return fmt.Errorf("%w: a newer calbridge wrote it, in format %d; this one reads the formats %d to %d", errOther, n, formatBuild, format)
	case n < formatBuild:
		return fmt.Errorf("%w: it has the old format %d; this calbridge reads the formats %d to %d", errOther, n, formatBuild, format)
	case n != formatBuild && meta[metaSite] != f.of.Site:
		return fmt.Errorf("%w: it belongs to another site, or to other settings", errOther)
	}
	return nil
}

// upgrade turns the file into one of this format and this site, in the transaction that opens it. If
// the program showed events differently, all of them count as changed.
func (f *file) upgrade(ctx context.Context, tx *sql.Tx, meta map[string]string) error {
	if meta[metaShows] != f.of.Shows {
		if err := f.changeAll(ctx, tx); err != nil {
			return err
		}
	}
	for name, value := range map[string]string{metaFormat: strconv.Itoa(format), metaSite: f.of.Site, metaShows: f.of.Shows, metaSeq: text(f.seq)} {
		if meta[name] == value {
			continue
		}
		if err := setMeta(ctx, tx, name, value); err != nil {
			return err
		}
	}
	return nil
}

// changeAll records a change of each event, without another state.
func (f *file) changeAll(ctx context.Context, tx *sql.Tx) error {
	next := f.seq + 1
	states := sq.Select().Column("?, ?, id, state", next, kindEvent).From("states")
	if err := exec(ctx, tx, sq.Insert("changes").Columns("seq", "kind", "id", "before").Select(states)); err != nil {
		return err
	}
	var events int64
	if err := sq.Select("COUNT(*)").From("states").RunWith(tx).QueryRowContext(ctx).Scan(&events); err != nil {
		return err
	}
	f.seq, f.total = next, f.total+events
	return exec(ctx, tx, sq.Insert("times").Values(next, f.now().Unix(), f.total))
}

func (f *file) create(ctx context.Context, tx *sql.Tx) error {
	for _, table := range tables {
		if _, err := tx.ExecContext(ctx, table); err != nil {
			return err
		}
	}
	for name, value := range map[string]string{metaFormat: strconv.Itoa(format), metaSite: f.of.Site, metaShows: f.of.Shows, metaID: random(8), metaSecret: random(32), metaSeq: "0", metaFloor: "0"} {
		if err := setMeta(ctx, tx, name, value); err != nil {
			return err
		}
	}
	return nil
}

// get reads a value of the table meta, "" for none.
func (f *file) get(ctx context.Context, db sq.BaseRunner, name string) (value string, err error) {
	err = sq.Select("value").From("meta").Where(sq.Eq{"name": name}).RunWith(db).QueryRowContext(ctx).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// meta reads all of the table.
func (f *file) meta(ctx context.Context, db sq.BaseRunner) (map[string]string, error) {
	out := map[string]string{}
	err := each(ctx, db, sq.Select("name", "value").From("meta"), func(rows *sql.Rows) error {
		var name, value string
		err := rows.Scan(&name, &value)
		out[name] = value
		return err
	})
	return out, err
}

func setMeta(ctx context.Context, tx *sql.Tx, name, value string) error {
	return exec(ctx, tx, sq.Replace("meta").Values(name, value))
}

// within runs a transaction.
func (f *file) within(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// durably runs a transaction that a power failure doesn't take back, nor any one before it.
func (f *file) durably(ctx context.Context, do func(*sql.Tx) error) (err error) {
	conn, err := f.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous = FULL"); err != nil {
		return err
	}
	defer func() {
		_, failed := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA synchronous = NORMAL")
		err = errors.Join(err, failed)
	}()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// damaged reports whether an error means that the file is damaged, or was deleted.
func damaged(err error) bool {
	const failed, corrupt, noDatabase, primary = 1, 11, 26, 0xff
	var of interface{ Code() int }
	if !errors.As(err, &of) {
		// A value of another type than its column has, which nobody has written.
		return errors.Is(err, eventindex.ErrState) || err != nil && strings.Contains(err.Error(), "sql: Scan error")
	}
	switch of.Code() & primary {
	case corrupt, noDatabase:
		return true
	case failed:
		return strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "no such column")
	}
	return false
}

// size returns how many bytes the file takes.
func (f *file) size() (bytes int64) {
	for _, ending := range []string{"", "-wal"} {
		if info, err := os.Stat(f.path + ending); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// execer is a statement that changes rows.
type execer interface{ ToSql() (string, []any, error) }

func exec(ctx context.Context, tx *sql.Tx, b execer) error {
	text, args, err := b.ToSql()
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, text, args...)
	return err
}

// each runs a query and calls row for each row.
func each(ctx context.Context, db sq.BaseRunner, b sq.SelectBuilder, row func(*sql.Rows) error) error {
	rows, err := b.RunWith(db).QueryContext(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func random(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// number reads what number was written; 0 for anything else.
func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}
