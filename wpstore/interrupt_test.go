package wpstore_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

// TestInterruptedQuery has queries wait for a locked table: they end with their
// context, at once, and the next ones get connections that work.
func TestInterruptedQuery(t *testing.T) {
	if !slices.Contains(wptest.Engines(), "mariadb") {
		t.Skip("no server")
	}
	f := newSite(t, "mariadb", func(cfg *wpstore.Config) { cfg.MaxOpen = 3 })
	f.post(1, wpstore.EventType, row{})
	lock, err := f.SQL().Conn(t.Context())
	f.ok(err)
	defer lock.Close()
	for range 5 {
		_, err = lock.ExecContext(t.Context(), "LOCK TABLES wp_posts WRITE")
		f.ok(err)
		for _, c := range []struct {
			name string
			end  func() (context.Context, context.CancelFunc)
			want error
		}{
			{"a deadline", func() (context.Context, context.CancelFunc) {
				return context.WithTimeout(t.Context(), 30*time.Millisecond)
			}, wpstore.ErrUnavailable},
			{"a client that leaves", func() (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(30*time.Millisecond, cancel)
				return ctx, cancel
			}, context.Canceled},
		} {
			ctx, cancel := c.end()
			start := time.Now()
			_, err := f.Posts(ctx, []int64{1})
			cancel()
			if !errors.Is(err, c.want) || time.Since(start) > 5*time.Second {
				t.Errorf("%s: after %s: %v", c.name, time.Since(start), err)
			}
		}
		_, err = lock.ExecContext(t.Context(), "UNLOCK TABLES")
		f.ok(err)
		posts, err := f.Posts(t.Context(), []int64{1})
		f.ok(err)
		if posts[1] == nil {
			t.Error("the post is not found")
		}
	}
}
