package sites

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// took takes a turn, and returns the time for which it waited.
func took(t *testing.T, of *turns) (waited time.Duration, end func()) {
	t.Helper()
	began := time.Now()
	end, err := of.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return time.Since(began), end
}

// counts returns how many requests have a turn, and how many wait for one.
func (t *turns) counts() (taken, waiting int) {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	return t.taken, len(t.waiting)
}

func TestTurns(t *testing.T) {
	for _, c := range []struct {
		name           string
		processors     int
		after          time.Duration // since a request of another site
		requests, most int           // most are those that get a turn at once
	}{
		{"alone", 2, time.Hour, 10, 4},
		{"another site is asked for", 2, 0, 10, 1},
		{"many processors", 8, recently / 2, 20, 7},
		{"one processor", 1, 0, 3, 1},
		{"another site was asked for", 2, recently, 10, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := &processors{number: c.processors}
				mine, other := &turns{of: all}, &turns{of: all}
				_, end := took(t, other)
				end()
				time.Sleep(c.after)
				at := 0
				for range c.requests { // none of them ends by itself
					if waited, _ := took(t, mine); waited == 0 {
						at++
					} else if waited > longestTurn {
						t.Errorf("waited %v", waited)
					} else {
						break
					}
				}
				if at != c.most {
					t.Errorf("%d at once, want %d", at, c.most)
				}
				if waited, _ := took(t, other); waited > 0 {
					t.Errorf("the other site waits %v", waited)
				}
				time.Sleep(longestTurn)
			})
		})
	}
}

// TestTurnsEnd checks that a turn ends once, with its request or after longestTurn, and that a client that
// leaves doesn't keep its turn.
func TestTurnsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mine := &turns{of: &processors{number: 1}}
		_, first := took(t, mine)
		_, second := took(t, mine)
		ctx, cancel := context.WithTimeout(t.Context(), longestTurn/2)
		defer cancel()
		if _, err := mine.take(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the error is %v", err)
		}
		if taken, waiting := mine.counts(); taken != 2 || waiting != 0 {
			t.Errorf("%d turns, %d wait; want 2 and none", taken, waiting)
		}
		first()
		first()
		if taken, _ := mine.counts(); taken != 1 {
			t.Errorf("%d turns, want 1", taken)
		}
		time.Sleep(longestTurn)
		synctest.Wait()
		second()
		if taken, _ := mine.counts(); taken != 0 {
			t.Errorf("%d turns, want none", taken)
		}
	})
}

// TestPauses checks that a site pauses for as long as it uses the processors if it is asked for by a crowd and
// other sites are asked for too, and not otherwise.
func TestPauses(t *testing.T) {
	const request, window = 350 * time.Microsecond, 100 * time.Millisecond
	for _, c := range []struct {
		name         string
		clients      int
		others       bool
		fewest, most time.Duration // the time in which the site uses the processor
	}{
		{"a crowd", 12, true, window * 35 / 100, window * 45 / 100},
		{"some clients", 3, true, window, window + 2*request},
		{"a crowd alone", 12, false, 2 * window, 2*window + 2*request},
		{"some clients alone", 3, false, 2 * window, 2*window + 2*request},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := &processors{number: 1}
				mine, other := &turns{of: all}, &turns{of: all}
				ctx, cancel := context.WithTimeout(t.Context(), window)
				defer cancel()
				var clients sync.WaitGroup
				var used atomic.Int64
				for range c.clients {
					clients.Go(func() {
						for ctx.Err() == nil {
							end, err := mine.take(ctx)
							if err != nil {
								return
							}
							time.Sleep(request)
							used.Add(int64(request))
							end()
						}
					})
				}
				for c.others && ctx.Err() == nil {
					waited, end := took(t, other)
					if waited > 0 {
						t.Errorf("the other site waits %v", waited)
					}
					end()
					time.Sleep(recently / 4)
				}
				clients.Wait()
				if got := time.Duration(used.Load()); got < c.fewest || got > c.most {
					t.Errorf("used %v, want %v to %v", got, c.fewest, c.most)
				}
				time.Sleep(longestTurn)
			})
		})
	}
}
