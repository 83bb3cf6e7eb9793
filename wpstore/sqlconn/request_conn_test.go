package sqlconn

import (
	"context"
	"errors"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

// TestRequestConnection: the reads of a request run on one connection, which goes back
// to the pool, and is replaced when it dies.
func TestRequestConnection(t *testing.T) {
	db := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t)), MaxOpen: 2})
	id := func(run *Runner) string {
		rows, err := run.Rows(t.Context(), "test", Statement{Text: "SELECT CONNECTION_ID()"})
		if err != nil {
			t.Fatal(err)
		}
		return rows.At(0, 0)
	}
	run := NewRunner(db, nil)
	done := run.KeepConnection(t.Context())
	first := id(run)
	if id(run) != first || db.primary.Busy() != 1 {
		t.Errorf("another connection, or %d places", db.primary.Busy())
	}
	if other := id(NewRunner(db, nil)); other == first {
		t.Error("another request had the same connection")
	}
	if _, err := db.SQL().ExecContext(t.Context(), "KILL "+first); err != nil {
		t.Fatal(err)
	}
	if id(run) == first {
		t.Error("the dead connection answers")
	}
	done()
	id(run)
	if n := db.primary.Busy(); n != 0 {
		t.Errorf("%d places are taken in the end", n)
	}
	// A statement of another kind does not need a second place.
	one := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t)), MaxOpen: 1, PoolWait: time.Second})
	run = NewRunner(one, nil)
	defer run.KeepConnection(t.Context())()
	for range 2 {
		if _, err := run.Rows(t.Context(), "test", Statement{Text: "SELECT 1"}); err != nil {
			t.Error(err)
		}
		if err := run.Transact(t.Context(), func(*Runner) (Ended, error) { return nil, nil }); err != nil {
			t.Error(err)
		}
		if _, err := run.Number(t.Context(), "test", sq.Select("COUNT(*)").From("wp_options")); err != nil && !errors.Is(err, wpstore.ErrSchema) {
			t.Error(err)
		}
	}
}

// TestRequestConnectionEnds: a request that ends interrupts its statement, and its connection
// isn't used again, nor is one that it had between two statements.
func TestRequestConnectionEnds(t *testing.T) {
	db := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t)), MaxOpen: 1, QueryTimeout: time.Hour})
	read := func(ctx context.Context, run *Runner, statement string) (string, error) {
		rows, err := run.Rows(ctx, "test", Statement{Text: statement})
		if err != nil {
			return "", err
		}
		return rows.At(0, 0), nil
	}
	const id = "SELECT CONNECTION_ID()"
	for _, running := range []bool{true, false} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		run := NewRunner(db, nil)
		done := run.KeepConnection(ctx)
		first, err := read(ctx, run, id)
		if err != nil {
			t.Fatal(err)
		}
		if running {
			time.AfterFunc(30*time.Millisecond, cancel)
			_, err = read(ctx, run, "SELECT SLEEP(60)")
		} else {
			cancel()
			_, err = read(ctx, run, id)
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("while a statement runs %t: %v", running, err)
		}
		done()
		next, err := read(t.Context(), NewRunner(db, nil), id)
		if err != nil || next == first {
			t.Errorf("while a statement runs %t: the next request has connection %q after %q, %v", running, next, first, err)
		}
	}
	// One that ends in the course of things leaves a connection that works.
	var last string
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		run := NewRunner(db, nil)
		done := run.KeepConnection(ctx)
		for range 2 {
			at, err := read(ctx, run, id)
			if err != nil || last != "" && at != last {
				t.Errorf("connection %q after %q: %v", at, last, err)
			}
			last = at
		}
		done()
		cancel()
	}
}

// TestSharedDeadline: statements of a request share a deadline while most of it is left.
func TestSharedDeadline(t *testing.T) {
	k, now := &requestConn{}, time.Now()
	limited := func(ctx context.Context, after time.Duration) context.Context {
		limited, cancel := k.limit(ctx, now.Add(after), time.Hour)
		cancel()
		return limited
	}
	first := limited(t.Context(), 0)
	if deadline, _ := first.Deadline(); !deadline.Equal(now.Add(time.Hour)) {
		t.Errorf("the deadline is %v", deadline)
	}
	if limited(t.Context(), 6*time.Minute) != first || first.Err() != nil {
		t.Error("the next statement has a deadline of its own")
	}
	second := limited(t.Context(), 7*time.Minute)
	if deadline, _ := second.Deadline(); !deadline.Equal(now.Add(67*time.Minute)) || first.Err() == nil {
		t.Errorf("later the deadline is %v, and the first one ended with %v", deadline, first.Err())
	}
	ctx, cancel := context.WithCancel(t.Context())
	third := limited(ctx, 7*time.Minute)
	cancel()
	if third.Err() == nil || limited(ctx, 7*time.Minute).Err() == nil || limited(t.Context(), 7*time.Minute).Err() != nil {
		t.Error("a statement does not end with its own request")
	}
	last := limited(t.Context(), 7*time.Minute)
	if k.deadline.end(); last.Err() == nil {
		t.Error("the deadline outlives the request")
	}
	alone, end := (*requestConn)(nil).limit(t.Context(), now, time.Hour)
	if end(); alone.Err() == nil {
		t.Error("without a request, the deadline outlives the statement")
	}
}
