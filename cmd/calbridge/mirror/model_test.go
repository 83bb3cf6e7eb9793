package mirror

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/sqlite"
)

// options returns the Options of a mirror for tests. It waits only for milliseconds.
func options(t *testing.T, url, dir string) Options {
	t.Helper()
	source, err := ParseSource(url+"/v1", nil, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return Options{Source: source, Out: filepath.Join(dir, "calendar.sqlite"), Lines: filepath.Join(dir, "calendar.jsonl"), Interval: 5 * time.Millisecond,
		Client: NewClient(), Logger: slog.New(slog.DiscardHandler), Now: time.Now, Jitter: rand.Float64, wait: 2 * time.Millisecond, silence: 5 * time.Second}
}

// reader opens the copy with a separate connection, as another program does.
func reader(t *testing.T, file string) *sql.DB {
	t.Helper()
	connector, err := sqlite.NewConnector(file, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// copied returns the events of a copy.
func copied(t *testing.T, db *sql.DB) map[int64]string {
	t.Helper()
	rows, err := db.Query("SELECT id, json FROM events")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	events := map[int64]string{}
	for rows.Next() {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			t.Fatal(err)
		}
		events[id] = text
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return events
}

// lines returns the events of the lines file, or nil if there is none.
func lines(path string) (map[int64]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	events := map[int64]string{}
	for in := bufio.NewScanner(bytes.NewReader(text)); in.Scan(); {
		var event struct {
			ID int64 `json:"id"`
		}
		if err := json.Unmarshal(in.Bytes(), &event); err != nil {
			return nil, fmt.Errorf("%w: %q", err, in.Text())
		}
		events[event.ID] = in.Text()
	}
	return events, nil
}

// eventually waits until holds returns true.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// watch reads the files all the time and reports an error if they are ever incomplete. It ends
// with the context.
func watch(ctx context.Context, t *testing.T, o Options) *sync.WaitGroup {
	db := reader(t, o.Out)
	var running sync.WaitGroup
	running.Go(func() {
		for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
			var complete bool
			var n int
			err := db.QueryRow("SELECT complete, (SELECT COUNT(*) FROM events WHERE id <= ?) FROM mirror", lasting).Scan(&complete, &n)
			if err == nil && (complete && n != lasting || !complete && n != 0) {
				t.Errorf("complete: %v, with %d of %d events", complete, n, lasting)
			}
			events, err := lines(o.Lines)
			if err != nil {
				t.Error(err)
			}
			for id := int64(1); id <= lasting && events != nil; id++ {
				if events[id] == "" {
					t.Errorf("%s lacks the event %d", o.Lines, id)
				}
			}
		}
	})
	return &running
}

// TestModel changes a calendar at random while its server fails in all ways, its tokens become
// invalid, and the mirror is killed between any two of its writes. It checks that the copy
// equals the calendar at the end and was never incomplete.
func TestModel(t *testing.T) {
	seeds, changes := uint64(3), 300
	switch {
	case os.Getenv("CALBRIDGE_LONG") == "1":
		changes = 10_000
	case testing.Short():
		seeds, changes = 1, 100
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { testModel(t, seed, changes) })
	}
}

func testModel(t *testing.T, seed uint64, changes int) {
	s := newStandIn(seed)
	s.faults = true
	server := httptest.NewServer(s)
	defer server.Close()
	dir := t.TempDir()
	o := options(t, server.URL, dir)
	random := rand.New(rand.NewPCG(seed, 2))

	if err := prepareFile(o.Out); err != nil { // so that the readers don't create it
		t.Fatal(err)
	}
	watching, stop := context.WithCancel(t.Context())
	watched := watch(watching, t, o)
	changing := make(chan struct{})
	go func() {
		defer close(changing)
		for i := range changes {
			s.change()
			switch {
			case i%97 == 96:
				s.set(func() { s.epoch++ })
			case i%61 == 60:
				s.set(func() { s.noStream = !s.noStream })
			case i%53 == 52:
				s.set(func() { s.down = true })
				time.Sleep(5 * time.Millisecond)
				s.set(func() { s.down = false })
			}
			time.Sleep(time.Duration(i%3) * time.Millisecond)
		}
	}()
	runs := 0
	for done := false; !done; runs++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(20+random.IntN(200))*time.Millisecond)
		mine := o
		mine.wrap = func(c driver.Connector) driver.Connector {
			k := &killed{Connector: c, commit: random.IntN(2) == 0, died: cancel}
			k.left.Store(random.Int64N(100))
			return k
		}
		if err := Run(ctx, mine); err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		cancel()
		select {
		case <-changing:
			done = true
		default:
		}
	}
	t.Logf("%d processes", runs)
	s.set(func() { s.faults, s.down, s.noStream = false, false, false })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Run(ctx, o) }()
	db := reader(t, o.Out)
	eventually(t, "the copy isn't the calendar", func() bool { return maps.Equal(copied(t, db), s.list()) })
	s.change() // the change arrives over the stream
	eventually(t, "the copy isn't the calendar after a change", func() bool { return maps.Equal(copied(t, db), s.list()) })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got, err := lines(o.Lines); err != nil || !maps.Equal(got, s.list()) {
		t.Errorf("the file of lines has %d events, the calendar %d (%v)", len(got), len(s.list()), err)
	}
	stop()
	watched.Wait()
}
