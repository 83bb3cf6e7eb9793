package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

// TestQueue: a statement waits for a connection as long as configured.
func TestQueue(t *testing.T) {
	const wait = 100 * time.Millisecond
	db := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t)), MaxOpen: 2, PoolWait: wait})
	if err := createOptions(db); err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context) error {
		return NewRunner(db, nil).Query(ctx, "test", sq.Select("1"), func(*sql.Rows) error { return nil })
	}
	inside, leave := make(chan struct{}), make(chan struct{})
	var busy sync.WaitGroup
	busy.Go(func() {
		err := NewRunner(db, nil).Transact(t.Context(), func(*Runner) (Ended, error) {
			close(inside)
			<-leave
			return nil, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
	if err := ask(t.Context()); err != nil {
		t.Errorf("beside one writer: %v", err)
	}
	if err := db.primary.Enter(t.Context(), wpstore.CostRead); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := ask(t.Context()); !errors.Is(err, wpstore.ErrUnavailable) || !crowded(err) {
		t.Errorf("without a free connection: %v", err)
	}
	if took := time.Since(start); took < wait {
		t.Errorf("refused after %s", took)
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ask(impatient); !errors.Is(err, context.Canceled) || errors.Is(err, wpstore.ErrUnavailable) {
		t.Errorf("for a client that has gone: %v", err)
	}
	db.settings.PoolWait = time.Minute
	busy.Go(func() { // waits, and gets the place that becomes free
		if err := ask(t.Context()); err != nil {
			t.Errorf("while a place becomes free: %v", err)
		}
	})
	time.Sleep(wait / 4)
	db.primary.Leave(wpstore.CostRead)
	close(leave)
	busy.Wait()
	if n := db.primary.Busy(); n != 0 {
		t.Errorf("%d places stay taken", n)
	}
}

// TestClasses: a class waits for its own places while the other classes go on, and a request that
// waits holds no connection.
func TestClasses(t *testing.T) {
	db := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t)), MaxOpen: 4, SlowPlaces: 1, ExportPlaces: 1, PoolWait: 100 * time.Millisecond})
	if err := createOptions(db); err != nil {
		t.Fatal(err)
	}
	// hold returns a request of a class that has a connection until release is called.
	hold := func(class wpstore.CostClass) (release func(), err error) {
		r := NewRunner(db, nil)
		release = r.KeepConnection(t.Context())
		ask := func() error {
			return r.Query(t.Context(), "test", sq.Select("1"), func(*sql.Rows) error { return nil })
		}
		if err := ask(); err != nil { // as an ordinary read
			return release, err
		}
		r.Classify(class)
		if class != wpstore.CostRead {
			r.Classify(wpstore.CostExport) // the first class stays
		}
		return release, ask()
	}
	for _, class := range []wpstore.CostClass{wpstore.CostSlow, wpstore.CostExport} {
		t.Run(string(class), func(t *testing.T) {
			first, err := hold(class)
			if err != nil {
				t.Fatal(err)
			}
			second, err := hold(class)
			defer second()
			if got, crowded := wpstore.Crowded(err); !crowded || got != class || !errors.Is(err, wpstore.ErrUnavailable) {
				t.Errorf("a second request: %v", err)
			}
			if n := db.primary.Busy(); n != 1 {
				t.Errorf("%d connections are in use", n)
			}
			for range 3 {
				other, err := hold(wpstore.CostRead)
				defer other()
				if err != nil {
					t.Errorf("an ordinary read: %v", err)
				}
			}
			first()
			third, err := hold(class)
			defer third()
			if err != nil {
				t.Errorf("after the first has ended: %v", err)
			}
		})
	}
	if n := db.primary.Busy(); n != 0 {
		t.Errorf("%d places stay taken", n)
	}
	inside, leave := make(chan struct{}), make(chan struct{})
	var writers sync.WaitGroup
	for range 2 { // half of the connections
		writers.Go(func() {
			_ = NewRunner(db, nil).Transact(t.Context(), func(*Runner) (Ended, error) {
				inside <- struct{}{}
				<-leave
				return nil, nil
			})
		})
	}
	<-inside
	<-inside
	err := NewRunner(db, nil).Transact(t.Context(), func(*Runner) (Ended, error) { return nil, nil })
	if class, _ := wpstore.Crowded(err); class != wpstore.CostWrite {
		t.Errorf("a third write: %v", err)
	}
	close(leave)
	writers.Wait()
}

func TestDropIdle(t *testing.T) {
	testEngines(t, nil, func(t *testing.T, db *Servers) {
		var conns []*sql.Conn
		for range 3 {
			c, err := db.SQL().Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			conns = append(conns, c)
		}
		for _, c := range conns[1:] {
			c.Close()
		}
		db.primary.DropIdle()
		if s := db.SQL().Stats(); s.Idle != 0 || s.InUse != 1 {
			t.Errorf("%d idle, %d in use", s.Idle, s.InUse)
		}
		conns[0].Close()
		db.primary.DropIdle()
		if s := db.SQL().Stats(); s.Idle != 1 {
			t.Errorf("%d idle: dropped again at once, or never idle again", s.Idle)
		}
	})
}

// TestCommitHasADeadline: within gives up on what hangs, and waits for what ends in time.
func TestCommitHasADeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	hang := make(chan struct{})
	defer close(hang)
	if err := within(ctx, nil, func() error { <-hang; return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	failed := errors.New("failed")
	if err := within(t.Context(), nil, func() error { return failed }); err != failed {
		t.Error(err)
	}
}
