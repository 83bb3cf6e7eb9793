package rest

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
	"calbridge/wpstore/options"
	"calbridge/wpstore/tickets"
)

// rowLog stands for the binary log on the embedded engine: triggers note the rows that change,
// and package rowtags decides which tags that invalidates, as for the rows of the real log. It
// applies them when it is told to, so that tests decide what is known at which moment.
type rowLog struct {
	db       *sql.DB
	tracker  *invalidation.Tracker
	indexed  bool // lists come from an event index, which finds out itself what changes them
	tables   map[string]*rowtags.Table
	resolver *rowtags.Resolver

	mu      sync.Mutex
	journal *journal.Journal // nil while none is open
	name    int              // of the log: it is another one after forget
	at      int64            // the last row that was applied
}

// rowMark is a place in a rowLog.
type rowMark struct {
	name int
	row  int64
}

func (m rowMark) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d:%d", m.name, m.row), nil }

// newRowLog makes the triggers.
func newRowLog(t testing.TB, s *testSite, tracker *invalidation.Tracker) *rowLog {
	t.Helper()
	l := &rowLog{db: s.SQL(), tracker: tracker, tables: map[string]*rowtags.Table{}}
	quoted := func(table string) string { return `"` + s.Table(table) + `"` }
	l.resolver = rowtags.NewResolver(l.query, quoted, nil)
	s.exec("CREATE TABLE row_log (number INTEGER PRIMARY KEY AUTOINCREMENT, tab TEXT, action INTEGER, before TEXT, after TEXT)")
	site, network := options.Names("wp_")
	for _, table := range (rowtags.WordPress{Options: site, NetworkOptions: network, Tickets: tickets.Names()}).Tables() {
		changed := l.changed(t, s.Table(table.Name))
		if changed == "" {
			continue // a table of networks
		}
		l.tables[table.Name] = &table
		columns := table.Columns
		if table.Key != "" {
			columns = append(slices.Clone(columns), table.Key)
		}
		image := func(of string) string { return "json_array(" + of + "." + strings.Join(columns, ", "+of+".") + ")" }
		for _, on := range []struct {
			action              binlog.Action
			name, before, after string
		}{{binlog.Insert, "INSERT", "NULL", image("NEW")}, {binlog.Update, "UPDATE", image("OLD"), image("NEW")}, {binlog.Delete, "DELETE", image("OLD"), "NULL"}} {
			when := ""
			if on.action == binlog.Update {
				when = "WHEN " + changed
			}
			s.exec(fmt.Sprintf("CREATE TRIGGER log_%s_%s AFTER %s ON %s %s BEGIN INSERT INTO row_log (tab, action, before, after) VALUES ('%s', %d, %s, %s); END",
				table.Name, on.name, on.name, quoted(table.Name), when, table.Name, on.action, on.before, on.after))
		}
	}
	return l
}

// changed returns the condition that a row differs from what it was: MySQL's log has no others.
// It is "" where there is no such table.
func (l *rowLog) changed(t testing.TB, table string) string {
	t.Helper()
	rows, err := l.db.Query("SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("OLD.%s IS NOT NEW.%s COLLATE BINARY", name, name))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " OR ")
}

func (l *rowLog) query(ctx context.Context, _ string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	text, args, err := b.ToSql()
	if err != nil {
		return err
	}
	rows, err := l.db.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// catchUp applies all rows, as changefeed.Feed.CatchUp waits for.
func (l *rowLog) catchUp(ctx context.Context) error { return l.apply(ctx, -1) }

// apply applies that many rows, -1 for all.
func (l *rowLog) apply(ctx context.Context, most int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.journal == nil {
		return journal.ErrNotReady
	}
	return l.next(ctx, most)
}

// next applies rows. The caller has the lock.
func (l *rowLog) next(ctx context.Context, most int) error {
	changes := rowtags.NewChanges()
	rows, err := l.db.QueryContext(ctx, "SELECT number, tab, action, before, after FROM row_log WHERE number > ? ORDER BY number LIMIT ?", l.at, most)
	if err != nil {
		return err
	}
	defer rows.Close()
	at := l.at
	for rows.Next() {
		var name string
		var action binlog.Action
		var before, after sql.NullString
		if err := rows.Scan(&at, &name, &action, &before, &after); err != nil {
			return err
		}
		var images []rowtags.Row
		for _, image := range []sql.NullString{before, after} {
			if image.Valid {
				row, err := loggedRow(image.String)
				if err != nil {
					return err
				}
				images = append(images, row)
			}
		}
		l.tables[name].NoteRow(&changes, action, images)
	}
	if err := rows.Err(); err != nil || at == l.at {
		return err
	}
	if err := l.resolver.Resolve(ctx, &changes); err != nil {
		return err
	}
	l.at = at
	tags := changes.Tags()
	l.journal.Record(slices.Clone(tags), changes.IsEverything(), rowMark{l.name, at})
	if changes.IsEverything() {
		l.tracker.InvalidateAll()
		return nil
	}
	if !l.indexed && slices.Contains(tags, invalidation.Tag{Kind: invalidation.Posts}) {
		tags = append(tags, invalidation.Tag{Kind: invalidation.Events})
	}
	l.tracker.Invalidate(tags...)
	return nil
}

func loggedRow(text string) (rowtags.Row, error) {
	var values []any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&values); err != nil {
		return nil, err
	}
	row := make(rowtags.Row, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case json.Number:
			n, err := v.Int64()
			if err != nil {
				return nil, err
			}
			row[i] = binlog.Value{Kind: binlog.Integer, Int: n}
		case string:
			row[i] = binlog.Value{Kind: binlog.Bytes, Bytes: bytes.Clone([]byte(v))}
		case nil:
			row[i] = binlog.Value{Kind: binlog.Null}
		default:
			return nil, fmt.Errorf("a column is %v", v)
		}
	}
	return row, nil
}

// follow feeds a journal from where it was, or from now, until stop is called. It does what
// the feed does on its way: see changefeed.Recorder.
func (l *rowLog) follow(t testing.TB, j *journal.Journal) (stop func()) {
	t.Helper()
	ctx := t.Context()
	text := string(j.Resume(ctx))
	l.mu.Lock()
	defer l.mu.Unlock()
	var last int64
	if err := l.db.QueryRow("SELECT COALESCE(MAX(number), 0) FROM row_log").Scan(&last); err != nil {
		t.Fatal(err)
	}
	var from rowMark
	n, _ := fmt.Sscanf(text, "%d:%d", &from.name, &from.row)
	missed := n != 2 || from.name != l.name || from.row > last
	l.journal = j
	if l.at = last; !missed {
		l.at = from.row
		if err := l.next(ctx, -1); err != nil {
			t.Fatal(err)
		}
	}
	j.Begin(missed, rowMark{l.name, l.at})
	l.tracker.Resume(missed)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.tracker.Suspend()
		l.journal = nil
	}
}

// pause lets nothing arrive from the log until resume is called.
func (l *rowLog) pause() (resume func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	paused := l.journal
	l.journal = nil
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.journal = paused
	}
}

// forget restarts the log, as RESET MASTER does.
func (l *rowLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.name++
}
