package journal

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlite"
)

// openedJournal returns a journal of a site that has recorded all states.
func openedJournal(t testing.TB, dir string, site Site) (recorder, func(tags ...invalidation.Tag)) {
	t.Helper()
	folder, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := openFile(t.Context(), folder, Identity{Site: "calendar"}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.close() })
	j := recorder{&Journal{cfg: Config{Site: site, Keep: time.Hour, Now: time.Now, Logger: slog.New(slog.DiscardHandler)}, file: f, queue: newQueue(time.Now)}}
	record := func(r *report) {
		t.Helper()
		if err := j.record(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	record(&report{missed: true, mark: place("begin")})
	return j, func(tags ...invalidation.Tag) {
		t.Helper()
		r := newReport()
		r.mark = place("later")
		for _, tag := range tags {
			r.tags[tag] = true
		}
		record(r)
	}
}

// place is a mark in a log.
type place string

func (p place) MarshalText() ([]byte, error) { return []byte(p), nil }

var _ encoding.TextMarshaler = place("")

// TestPlans: neither recording a change nor reading what has changed goes through all rows of
// one of the file's tables.
func TestPlans(t *testing.T) {
	site := &calendarSite{events: 2000}
	j, record := openedJournal(t, t.TempDir(), site)
	heard := &statements{}
	engine, err := sqlite.NewConnector(j.file.path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	plain := j.file.db
	defer plain.Close()
	j.file.db = sql.OpenDB(listening{engine, heard})

	run := Position{j.file.run, j.seq.Load()}
	var posts []invalidation.Tag
	for id := range int64(100) {
		posts = append(posts, invalidation.Tag{Kind: invalidation.Post, ID: firstEvent + id})
	}
	site.parent = 1
	record(append(posts, invalidation.Tag{Kind: invalidation.Post, ID: 5}, invalidation.Tag{Kind: invalidation.Term, ID: 3}, invalidation.Tag{Kind: invalidation.Posts})...)
	site.events, site.parent = 50, 2 // half of them go
	record(append(posts, invalidation.Tag{Kind: invalidation.Site})...)
	record()
	if err := j.keeper.flush(t.Context(), j.file); err != nil {
		t.Fatal(err)
	}
	changed, err := j.Since(t.Context(), run, j.seq.Load(), 10_000)
	if err != nil || len(changed.Events) != 100 || len(changed.Terms) != 1 {
		t.Fatalf("%+v %v", changed, err)
	}
	touched, err := j.Touched(t.Context(), run.Seq)
	if err != nil || len(touched) != 100 {
		t.Errorf("%v %v", touched, err)
	}
	shown := []Showing{{Tag: posts[1]}}
	for i, tag := range posts {
		shown = append(shown, Showing{tag, int64(i % 10)})
	}
	for range 2 {
		if err := j.Show(t.Context(), "anybody", shown); err != nil {
			t.Fatal(err)
		}
	}
	if events, err := j.Shown(t.Context(), "anybody", posts[:5], 100); err != nil || len(events) != 5 {
		t.Errorf("%v %v", events, err)
	}
	if states, err := j.States(t.Context(), []int64{firstEvent, firstEvent + 99}); err != nil || len(states) != 1 {
		t.Errorf("%v %v", states, err)
	}
	if states, err := j.After(t.Context(), firstEvent+1000, 10); err != nil || len(states) != 10 {
		t.Errorf("%v %v", states, err)
	}
	heard.explain(t, plain)
}

// statements are those that the engine was given.
type statements struct {
	mu   sync.Mutex
	seen map[string][]driver.NamedValue
}

func (s *statements) add(query string, args []driver.NamedValue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[string][]driver.NamedValue{}
	}
	s.seen[query] = args
}

var (
	tableName = regexp.MustCompile(`(?:FROM|INTO) (\w+)`)
	// readsAll are steps that read all rows. Without USING a SEARCH does: that for a minimum.
	readsAll = regexp.MustCompile(`^SCAN |^SEARCH \w+$`)
)

// explain looks at the plans of all statements.
func (s *statements) explain(t *testing.T, db *sql.DB) {
	t.Helper()
	var named []string
	for query, args := range s.seen {
		if strings.HasPrefix(query, "PRAGMA") {
			continue
		}
		named = append(named, tableName.FindStringSubmatch(query)[1])
		var values []any
		for _, a := range args {
			values = append(values, a.Value)
		}
		for _, step := range plan(t, db, query, values...) {
			if readsAll.MatchString(step) && !strings.Contains(step, "VALUES CLAUSE") { // the rows of an INSERT
				t.Errorf("%.300s: %s", query, step)
			}
		}
	}
	slices.Sort(named)
	if named = slices.Compact(named); !slices.Equal(named, []string{"breaks", "changes", "meta", "posts", "runs", "shown", "states", "terms", "times"}) {
		t.Errorf("statements of %v only", named)
	}
	if steps := plan(t, db, "SELECT state FROM states WHERE state = ''"); len(steps) != 1 || !readsAll.MatchString(steps[0]) {
		t.Errorf("the plan of a search without an index is %q", steps)
	}
}

func plan(t *testing.T, db *sql.DB, query string, values ...any) (steps []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, values...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

// listening is an engine of which all statements are heard.
type listening struct {
	driver.Connector
	heard *statements
}

// Connect implements driver.Connector.
func (l listening) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := l.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &listeningConn{c.(engineConn), l.heard}, nil
}

// engineConn is what package sql uses of a connection of the embedded engine.
type engineConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
}

type listeningConn struct {
	engineConn
	heard *statements
}

// ExecContext implements driver.ExecerContext.
func (c *listeningConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.heard.add(query, args)
	return c.engineConn.ExecContext(ctx, query, args)
}

// QueryContext implements driver.QueryerContext.
func (c *listeningConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.heard.add(query, args)
	return c.engineConn.QueryContext(ctx, query, args)
}
