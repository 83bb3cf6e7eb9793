package sitedb_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// TestInterruptedQuery makes queries wait for a locked table. They end with their context,
// and the next ones get connections that work.
func TestInterruptedQuery(t *testing.T) {
	if !slices.Contains(wptest.Engines(), "mariadb") {
		t.Skip("no server")
	}
	f := newSite(t, "mariadb", func(cfg *sitedb.Config) { cfg.MaxOpen, cfg.QueryTimeout = 3, time.Hour })
	f.Post(1, wpstore.EventType, row{})
	lock, err := f.db.SQL().Conn(t.Context())
	f.OK(err)
	defer lock.Close()
	for range 5 {
		_, err = lock.ExecContext(t.Context(), "LOCK TABLES wp_posts WRITE")
		f.OK(err)
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
			_, err := f.Posts.Posts(ctx, []int64{1})
			cancel()
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		_, err = lock.ExecContext(t.Context(), "UNLOCK TABLES")
		f.OK(err)
		posts, err := f.Posts.Posts(t.Context(), []int64{1})
		f.OK(err)
		if posts[1] == nil {
			t.Error("the post is not found")
		}
	}
}
