package webhook

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlite"
	"calbridge/wpstore/statedir"
)

const (
	// format is the version of the tables, which user_version of the file has.
	format   = 1
	fileName = "webhooks.sqlite"
)

// tables are those of the file. known has the fingerprint of each event that a target was told of, and the
// number of the last complete list that had it. pending has what is to be delivered, in order.
var tables = [...]string{
	`CREATE TABLE targets (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, token TEXT NOT NULL DEFAULT '', listing INTEGER NOT NULL DEFAULT 2, baseline INTEGER NOT NULL DEFAULT 1,
		generation INTEGER NOT NULL DEFAULT 1, delivered INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0, disabled INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '')`,
	"CREATE TABLE known (target INTEGER NOT NULL, event INTEGER NOT NULL, hash BLOB NOT NULL, generation INTEGER NOT NULL, PRIMARY KEY (target, event)) WITHOUT ROWID",
	`CREATE TABLE pending (seq INTEGER PRIMARY KEY AUTOINCREMENT, target INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, event INTEGER NOT NULL, at INTEGER NOT NULL, data BLOB NOT NULL,
		attempts INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '')`,
	"CREATE INDEX pending_target ON pending (target, seq)",
}

// store keeps what survives a restart. It is safe for concurrent use.
type store struct {
	db     *sql.DB
	folder *statedir.Folder
	now    func() time.Time
}

// openStore opens the file in a folder, and makes both if they are missing.
func openStore(ctx context.Context, dir string, now func() time.Time) (*store, error) {
	folder, err := statedir.Open(dir, "lock")
	if err != nil {
		return nil, err
	}
	s := &store{folder: folder, now: now}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s (it may be deleted: targets are then told of what changes from then on): %w", folder.Path(fileName), err), s.close())
	}
	return s, nil
}

func (s *store) open(ctx context.Context) error {
	file, err := os.OpenFile(s.folder.Path(fileName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Chmod(0o600), file.Close()); err != nil {
		return err
	}
	connector, err := sqlite.NewConnector(s.folder.Path(fileName), s.now)
	if err != nil {
		return err
	}
	s.db = sql.OpenDB(connector)
	s.db.SetMaxOpenConns(1) // targets take turns
	return s.within(ctx, func(tx *sql.Tx) error {
		var found int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found); err != nil {
			return err
		}
		switch {
		case found > format:
			return fmt.Errorf("a newer calbridge wrote it, in format %d; this one reads format %d", found, format)
		case found == format:
			return nil
		}
		for _, table := range tables {
			if _, err := tx.ExecContext(ctx, table); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, fmt.Sprint("PRAGMA user_version = ", format))
		return err
	})
}

func (s *store) close() error {
	var err error
	if s.db != nil {
		err = s.db.Close()
	}
	return errors.Join(err, s.folder.Close())
}

// within runs a transaction.
func (s *store) within(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// listing is the stage at which a target reads its whole list.
type listing int

// A list lacks the events that change while a page of it is made; what has changed since has them. So
// only then it is known which events have left the list.
const (
	listed  listing = iota
	lagging         // the list was read, but not what has changed meanwhile
	reading
)

// position is the place that a target has reached in its list of one site.
type position struct {
	number     int64 // of the key
	token      string
	listing    listing
	baseline   bool // until the list was read for the first time: nothing is delivered
	generation int64
	disabled   time.Time // zero if it is not
}

// add adds keys that are new. They are disabled if their target is.
func (s *store) add(ctx context.Context, keys []string) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		for _, key := range keys {
			target, _ := parseKey(key)
			others := sq.Select().Column("?", key).Columns("COALESCE(MAX(disabled), 0)", "COALESCE(MAX(reason), '')").From("targets").Where(ofTarget(target))
			if _, err := sq.Insert("targets").Options("OR IGNORE").Columns("name", "disabled", "reason").Select(others).RunWith(tx).ExecContext(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// ofTarget matches the keys of a target: its name alone, or with that of a site.
func ofTarget(name string) sq.Sqlizer {
	const slash, afterSlash = "/", "0"
	return sq.Or{sq.Eq{"name": name}, sq.And{sq.GtOrEq{"name": name + slash}, sq.Lt{"name": name + afterSlash}}}
}

// position returns that of a key.
func (s *store) position(ctx context.Context, key string) (p position, err error) {
	var disabled int64
	err = sq.Select("number", "token", "listing", "baseline", "generation", "disabled").From("targets").Where(sq.Eq{"name": key}).RunWith(s.db).QueryRowContext(ctx).
		Scan(&p.number, &p.token, &p.listing, &p.baseline, &p.generation, &disabled)
	if disabled != 0 {
		p.disabled = time.Unix(disabled, 0)
	}
	return p, err
}

// step stores a page of changes: fingerprints, what follows for the target, and the position after it. It
// drops the page if a replay began after the position was read.
func (s *store) step(ctx context.Context, t *Target, p position, page *page) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		var generation int64
		if err := sq.Select("generation").From("targets").Where(sq.Eq{"number": p.number}).RunWith(tx).QueryRowContext(ctx).Scan(&generation); err != nil || generation != p.generation {
			return err
		}
		known, err := hashes(ctx, tx, p.number, page.ids())
		if err != nil {
			return err
		}
		if err := s.change(ctx, tx, t, p, differ(known, page.items)); err != nil {
			return err
		}
		switch {
		case page.last && p.listing == reading:
			p.listing = lagging
		case page.last && p.listing == lagging:
			if err := s.leave(ctx, tx, t, p); err != nil {
				return err
			}
			p.listing, p.baseline = listed, false
		}
		_, err = sq.Update("targets").Set("token", page.token).Set("listing", p.listing).Set("baseline", p.baseline).Where(sq.Eq{"number": p.number}).RunWith(tx).ExecContext(ctx)
		return err
	})
}

// change stores changes of events.
func (s *store) change(ctx context.Context, tx *sql.Tx, t *Target, p position, changes []change) error {
	last := map[int64]change{} // of each event
	for _, c := range changes {
		last[c.event] = c
	}
	var gone []int64
	kept := sq.Replace("known").Columns("target", "event", "hash", "generation")
	for event, c := range last {
		if c.kind == Deleted {
			gone = append(gone, event)
		} else {
			kept = kept.Values(p.number, event, c.hash, p.generation)
		}
	}
	if len(gone) > 0 {
		if _, err := sq.Delete("known").Where(sq.Eq{"target": p.number, "event": gone}).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
	}
	if len(gone) < len(last) {
		if _, err := kept.RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
	}
	for _, c := range changes {
		if c.kind == unchanged || p.baseline || !t.wants(c.kind) {
			continue
		}
		if _, err := sq.Insert("pending").Columns("target", "id", "kind", "event", "at", "data").Values(p.number, newID(), c.kind, c.event, s.now().UnixMilli(), c.data).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
	}
	return nil
}

// leave stores that the events which a complete list didn't have are gone.
func (s *store) leave(ctx context.Context, tx *sql.Tx, t *Target, p position) error {
	rows, err := sq.Select("event").From("known").Where(sq.Eq{"target": p.number}).Where(sq.Lt{"generation": p.generation}).OrderBy("event").RunWith(tx).QueryContext(ctx)
	if err != nil {
		return err
	}
	var gone []change
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return errors.Join(err, rows.Close())
		}
		gone = append(gone, change{kind: Deleted, event: id, data: tombstone(id)})
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for some := range slices.Chunk(gone, 500) { // SQLite limits the values of a statement
		if err := s.change(ctx, tx, t, p, some); err != nil {
			return err
		}
	}
	return nil
}

// hashes returns the fingerprints of those of some events that a target was told of.
func hashes(ctx context.Context, tx *sql.Tx, target int64, ids []int64) (map[int64]string, error) {
	out := map[int64]string{}
	rows, err := sq.Select("event", "hash").From("known").Where(sq.Eq{"target": target, "event": ids}).RunWith(tx).QueryContext(ctx)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var hash []byte
		if err := rows.Scan(&id, &hash); err != nil {
			return nil, err
		}
		out[id] = string(hash)
	}
	return out, rows.Err()
}

// restart makes a target read its whole list again, because its token can't be used any more.
func (s *store) restart(ctx context.Context, p position) error {
	_, err := sq.Update("targets").Set("token", "").Set("listing", reading).Set("generation", p.generation+1).Where(sq.Eq{"number": p.number}).RunWith(s.db).ExecContext(ctx)
	return err
}

// ErrUnknownTarget is returned for names that no target has.
var ErrUnknownTarget = errors.New("there is no target of this name")

// replay makes a target be told of its whole list again, and enables it. What was to be delivered is
// dropped, since the list has it.
func (s *store) replay(ctx context.Context, name string) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		numbers := sq.Expr("target IN (?)", sq.Select("number").From("targets").Where(ofTarget(name)))
		if _, err := sq.Update("known").Set("hash", []byte{}).Where(numbers).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
		if _, err := sq.Delete("pending").Where(numbers).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
		updated, err := sq.Update("targets").Set("token", "").Set("listing", reading).Set("baseline", false).Set("generation", sq.Expr("generation + 1")).Set("disabled", 0).Set("reason", "").
			Where(ofTarget(name)).RunWith(tx).ExecContext(ctx)
		if err != nil {
			return err
		}
		if n, err := updated.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, ErrUnknownTarget)
		}
		return nil
	})
}

// delivery is the next message for a target.
type delivery struct {
	message
	seq      int64
	attempts int
	due      time.Time
}

// next returns the first deliveries of a target, in order.
func (s *store) next(ctx context.Context, p position, most uint64) (all []*delivery, err error) {
	rows, err := sq.Select("seq", "id", "kind", "event", "at", "data", "attempts", "due").From("pending").Where(sq.Eq{"target": p.number}).OrderBy("seq").Limit(most).RunWith(s.db).QueryContext(ctx)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		d := &delivery{}
		var at, due int64
		var data []byte
		if err := rows.Scan(&d.seq, &d.ID, &d.Kind, &d.Event, &at, &data, &d.attempts, &due); err != nil {
			return nil, err
		}
		d.At, d.due, d.Data = time.UnixMilli(at), time.UnixMilli(due), data
		all = append(all, d)
	}
	return all, rows.Err()
}

// accepted removes deliveries that their target has accepted, by their numbers.
func (s *store) accepted(ctx context.Context, p position, numbers []int64) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		if _, err := sq.Delete("pending").Where(sq.Eq{"seq": numbers}).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
		_, err := sq.Update("targets").Set("delivered", sq.Expr("delivered + ?", len(numbers))).Set("last", s.now().Unix()).Where(sq.Eq{"number": p.number}).RunWith(tx).ExecContext(ctx)
		return err
	})
}

// failed stores a failed attempt, the number of attempts of its target that have failed one after another,
// and when the next one is due.
func (s *store) failed(ctx context.Context, d *delivery, attempts int, due time.Time, why string) error {
	_, err := sq.Update("pending").Set("attempts", attempts).Set("due", due.UnixMilli()).Set("error", why).Where(sq.Eq{"seq": d.seq}).RunWith(s.db).ExecContext(ctx)
	return err
}

// disable ends deliveries to a target until replay.
func (s *store) disable(ctx context.Context, name, why string) error {
	_, err := sq.Update("targets").Set("disabled", s.now().Unix()).Set("reason", why).Where(ofTarget(name)).RunWith(s.db).ExecContext(ctx)
	return err
}

// forget removes the keys that aren't wanted, and returns the others.
func (s *store) forget(ctx context.Context, wanted func(key string) bool) (left []string, err error) {
	err = s.within(ctx, func(tx *sql.Tx) error {
		var all []string
		rows, err := sq.Select("name").From("targets").OrderBy("number").RunWith(tx).QueryContext(ctx)
		if err != nil {
			return err
		}
		for rows.Next() {
			var key string
			if err := rows.Scan(&key); err != nil {
				return errors.Join(err, rows.Close())
			}
			all = append(all, key)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
		for _, key := range all {
			if wanted(key) {
				left = append(left, key)
				continue
			}
			number := sq.Expr("target IN (?)", sq.Select("number").From("targets").Where(sq.Eq{"name": key}))
			for _, table := range []string{"known", "pending"} {
				if _, err := sq.Delete(table).Where(number).RunWith(tx).ExecContext(ctx); err != nil {
					return err
				}
			}
			if _, err := sq.Delete("targets").Where(sq.Eq{"name": key}).RunWith(tx).ExecContext(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return left, err
}

// Status describes the deliveries to a target.
type Status struct {
	Name      string    `json:"name"`
	URL       string    `json:"url"`
	Delivered int64     `json:"delivered"`
	Last      time.Time `json:"last,omitzero"` // accepted delivery
	Pending   int64     `json:"pending"`
	// Oldest is when the change was found that waits longest, Attempts how often it was sent, and Due when
	// it is sent again.
	Oldest   time.Time `json:"oldest,omitzero"`
	Attempts int       `json:"attempts,omitempty"`
	Due      time.Time `json:"due,omitzero"`
	// Error is why the last attempt failed, or why the target is disabled.
	Error    string    `json:"error,omitempty"`
	Disabled time.Time `json:"disabled,omitzero"`
	// Reading reports that the whole list is being read, the first time or because changes are unknown.
	Reading bool `json:"reading,omitempty"`
}

// add adds what holds for one site.
func (s *Status) add(of Status) {
	s.Delivered += of.Delivered
	s.Pending += of.Pending
	s.Reading = s.Reading || of.Reading
	if of.Last.After(s.Last) {
		s.Last = of.Last
	}
	if !of.Oldest.IsZero() && (s.Oldest.IsZero() || of.Oldest.Before(s.Oldest)) {
		s.Oldest = of.Oldest
	}
	if of.Disabled.After(s.Disabled) {
		s.Disabled = of.Disabled
	}
	if of.Attempts > s.Attempts || s.Error == "" {
		s.Attempts, s.Due, s.Error = of.Attempts, of.Due, of.Error
	}
}

// statuses returns those of all targets and sites, by the name of the target, without their URLs.
func (s *store) statuses(ctx context.Context) (map[string][]Status, error) {
	rows, err := sq.Select("t.name", "t.delivered", "t.last", "t.disabled", "t.reason", "t.listing", "COUNT(p.seq)", "COALESCE(MIN(p.at), 0)", "COALESCE(MAX(p.attempts), 0)", "COALESCE(MAX(p.due), 0)", "COALESCE(MAX(p.error), '')").
		From("targets t").LeftJoin("pending p ON p.target = t.number").GroupBy("t.number").RunWith(s.db).QueryContext(ctx)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string][]Status{}
	for rows.Next() {
		var one Status
		var last, disabled, oldest, due int64
		var reason string
		var at listing
		if err := rows.Scan(&one.Name, &one.Delivered, &last, &disabled, &reason, &at, &one.Pending, &oldest, &one.Attempts, &due, &one.Error); err != nil {
			return nil, err
		}
		for at, to := range map[*time.Time]time.Time{&one.Last: time.Unix(last, 0), &one.Disabled: time.Unix(disabled, 0), &one.Oldest: time.UnixMilli(oldest), &one.Due: time.UnixMilli(due)} {
			if to.Unix() != 0 {
				*at = to
			}
		}
		one.Reading = at != listed
		if reason != "" {
			one.Error = reason
		}
		target, _ := parseKey(one.Name)
		out[target] = append(out[target], one)
	}
	return out, rows.Err()
}

// newID returns the id of a message.
func newID() string {
	b := make([]byte, 18)
	_, _ = rand.Read(b) // never fails
	return "msg_" + base64.RawURLEncoding.EncodeToString(b)
}
