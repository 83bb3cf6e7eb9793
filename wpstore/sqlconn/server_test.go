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
	"calbridge/wpstore/sqlconn/server"
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
	if err := db.primary.Enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := ask(t.Context()); !errors.Is(err, wpstore.ErrUnavailable) || !errors.Is(err, server.ErrCrowded) {
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
	db.primary.Leave()
	close(leave)
	busy.Wait()
	if n := db.primary.Busy(); n != 0 {
		t.Errorf("%d places stay taken", n)
	}
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
