package changefeed_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// orders reads what the tests write: a number that only grows.
func (f *follower) order(ctx context.Context, post int64) (n int64, err error) {
	err = f.SQL().QueryRowContext(ctx, "SELECT menu_order FROM wp_posts WHERE ID = ?", post).Scan(&n)
	return n, err
}

// TestInvalidatedWhenReadable holds a transaction between the log and the engine,
// where servers wait for a replica that confirms it.
func TestInvalidatedWhenReadable(t *testing.T) {
	wptest.ForMariaDB(t, "semi-synchronous replication built in")
	f := follow(t, nil)
	f.post(1, "tribe_events", row{"menu_order": 0})
	// Held for longer where the machine was too slow to look meanwhile.
	for n, hold := range []time.Duration{500 * time.Millisecond, 3 * time.Second, 20 * time.Second} {
		if f.looksAtHeld(int64(n), hold) > 0 {
			return
		}
	}
	t.Error("the transaction was not held")
}

// looksAtHeld delays a transaction that increments the number. It returns how often the
// transaction was seen in the log, but not in the row.
func (f *follower) looksAtHeld(was int64, hold time.Duration) (logged int) {
	t, ctx := f.t, f.t.Context()
	for _, statement := range []string{
		"SET GLOBAL rpl_semi_sync_master_enabled = OFF", "SET GLOBAL rpl_semi_sync_master_wait_point = AFTER_SYNC",
		fmt.Sprintf("SET GLOBAL rpl_semi_sync_master_timeout = %d", hold.Milliseconds()), "SET GLOBAL rpl_semi_sync_master_enabled = ON",
	} {
		if _, err := f.SQL().Exec(statement); err != nil {
			t.Skipf("%s: %v", statement, err)
		}
	}
	f.caughtUp()
	since := f.tracker.Generation()
	var before string
	f.ok(f.SQL().QueryRow("SELECT @@gtid_binlog_pos").Scan(&before))
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() {
		if _, err := f.SQL().Exec("UPDATE wp_posts SET menu_order = menu_order + 1"); err != nil {
			t.Error(err)
		}
	})
	for {
		var position string
		f.ok(f.SQL().QueryRow("SELECT @@gtid_binlog_pos").Scan(&position))
		invalidated := f.tracker.Generation() != since
		n, err := f.order(ctx, 1)
		f.ok(err)
		if n > was {
			break
		}
		if invalidated {
			t.Fatal("invalidated before the row could be read")
		}
		if position != before {
			logged++
			if err := f.CatchUp(ctx); err == nil {
				if n, err = f.order(ctx, 1); err == nil && n == was {
					t.Fatal("caught up with what cannot be read")
				}
			}
		}
	}
	f.eventually("invalidated", func() bool { return f.tracker.Generation() != since })
	return logged
}

// cached is a value of the generation at which it was read.
type cached struct{ since, value int64 }

// TestNothingStaleIsFresh increments rows by plain SQL while readers cache what they read
// and read it again when the tracker reports a change. What was read before CatchUp
// returned must not be newer than what is fresh then. CALBRIDGE_FEED_FOR makes it last
// longer.
func TestNothingStaleIsFresh(t *testing.T) {
	lasts := 2 * time.Second
	if text := os.Getenv("CALBRIDGE_FEED_FOR"); text != "" {
		var err error
		if lasts, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, option := range []string{"--sync-binlog=0", "--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1"} {
		t.Run(option, func(t *testing.T) { testNothingStale(t, lasts, option) })
	}
}

func testNothingStale(t *testing.T, lasts time.Duration, options ...string) {
	const writers, readers, rows = 4, 4, 4
	f := follow(t, nil, options...)
	for id := int64(1); id <= rows; id++ {
		f.post(id, "tribe_events", row{"menu_order": 0})
	}
	f.caughtUp()
	ctx, cancel := context.WithTimeout(t.Context(), lasts+2*time.Minute)
	defer cancel()
	var group sync.WaitGroup
	var written, made, served, late, stale atomic.Int64
	group.Go(func() { // longer where it takes longer to serve anything
		for begin := time.Now(); ctx.Err() == nil && (time.Since(begin) < lasts || served.Load() == 0); {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	})
	for w := range writers {
		group.Go(func() {
			for ctx.Err() == nil {
				if _, err := f.SQL().Exec("UPDATE wp_posts SET menu_order = menu_order + 1 WHERE ID = ?", w%rows+1); err != nil {
					t.Error(err)
					return
				}
				written.Add(1)
				time.Sleep(time.Duration(w) * time.Millisecond / 2)
			}
		})
	}
	var keeps [rows + 1]atomic.Pointer[cached] // shared by the readers
	for r := range readers {
		group.Go(func() {
			for n := r; ctx.Err() == nil; n++ {
				post := int64(n%rows + 1)
				tags := []invalidation.Tag{{Kind: invalidation.Post, ID: post}}
				truth, err := f.order(context.Background(), post)
				if err != nil {
					t.Error(err)
					return
				}
				if f.CatchUp(ctx) != nil {
					late.Add(1)
				} else if k := keeps[post].Load(); k != nil && f.tracker.Fresh(uint64(k.since), tags) {
					served.Add(1)
					if k.value < truth {
						stale.Add(1)
					}
				}
				since := f.tracker.Generation()
				if k := keeps[post].Load(); k == nil || !f.tracker.Fresh(uint64(k.since), tags) {
					value, err := f.order(context.Background(), post)
					if err != nil {
						t.Error(err)
						return
					}
					keeps[post].Store(&cached{int64(since), value})
					made.Add(1)
				}
			}
		})
	}
	group.Wait()
	f.caughtUp()
	for post := int64(1); post <= rows; post++ {
		truth, err := f.order(t.Context(), post)
		f.ok(err)
		if k := keeps[post].Load(); k != nil && k.value != truth && f.tracker.Fresh(uint64(k.since), []invalidation.Tag{{Kind: invalidation.Post, ID: post}}) {
			stale.Add(1)
		}
	}
	t.Logf("%d transactions, %d answers made, %d served as fresh, %d times not caught up in time, %d stale",
		written.Load(), made.Load(), served.Load(), late.Load(), stale.Load())
	if stale.Load() > 0 || served.Load() == 0 {
		t.Errorf("%d stale of %d", stale.Load(), served.Load())
	}
}
