package sitedb_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// listingSizes returns the sizes of calendars to measure: CALBRIDGE_LISTING_SIZES,
// separated by commas, or 10,000 events.
func listingSizes(b *testing.B) []int {
	b.Helper()
	text := os.Getenv("CALBRIDGE_LISTING_SIZES")
	if text == "" {
		return []int{10_000}
	}
	var sizes []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil {
			b.Fatal(err)
		}
		sizes = append(sizes, n)
	}
	return sizes
}

// BenchmarkListing measures the listing index over generated calendars: how long it
// loads and what it takes of memory, lists from it and from the database, and what
// a change costs until the next list.
func BenchmarkListing(b *testing.B) {
	for _, engine := range wptest.Engines() {
		for _, n := range listingSizes(b) {
			b.Run(fmt.Sprintf("%s/%d", engine, n), func(b *testing.B) { benchmarkListing(b, engine, n) })
		}
	}
}

func benchmarkListing(b *testing.B, engine string, n int) {
	db := generated(b, engine, n)
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	var listing *eventindex.Index
	load := func(ctx context.Context) {
		listing = db.OpenIndex(ctx, tracker)
		wptest.AwaitRows(b, listing)
	}
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			ctx, cancel := context.WithCancel(b.Context())
			load(ctx)
			cancel()
		}
	})
	var before, after runtime.MemStats
	listing, tracker = nil, invalidation.NewTracker()
	tracker.Resume(true)
	db.OpenIndex(b.Context(), invalidation.NewTracker()) // forgets the one before
	runtime.GC()
	runtime.ReadMemStats(&before)
	load(b.Context())
	runtime.GC()
	runtime.ReadMemStats(&after)
	memory := float64(after.HeapAlloc-before.HeapAlloc) / float64(n)

	rng := rand.New(rand.NewPCG(1, 1))
	lists := map[string]func() wpstore.EventQuery{}
	for name, q := range wptest.TypicalQueries() {
		if name != "search" && name != "no_table" {
			lists[name] = func() wpstore.EventQuery { return q }
		}
	}
	typical := wptest.TypicalQueries()["everything"]
	lists["any_month"] = func() wpstore.EventQuery {
		q := typical
		from := synthetic.Now.AddDate(0, 0, rng.IntN(700)-350)
		q.Bounds = []wpstore.Bound{{Op: ">=", Value: from.Format(time.DateTime)}, {End: true, Op: "<=", Value: from.AddDate(0, 1, 0).Format(time.DateTime)}}
		return q
	}
	lists["any_venue"] = func() wpstore.EventQuery {
		q := typical
		q.Venues = []int64{1001 + rng.Int64N(min(int64(n/50+1), 2000))}
		return q
	}
	lists["any_category"] = func() wpstore.EventQuery {
		q := typical
		q.Categories = []int64{1 + rng.Int64N(12)}
		return q
	}
	lists["page_1000"] = func() wpstore.EventQuery { q := typical; q.Offset = 9_990; return q }
	for name, query := range lists {
		for _, from := range []string{"index", "database"} {
			b.Run(name+"/"+from, func(b *testing.B) {
				if from == "database" {
					tracker.Suspend()
					defer tracker.Resume(false)
				}
				for b.Loop() {
					if _, err := indexed(db).Events.Events(b.Context(), query(), nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	b.Run("change", func(b *testing.B) {
		defer b.ReportMetric(memory, "index-B/event")
		for round := 0; b.Loop(); round++ {
			id := 10_001 + rng.Int64N(int64(n))
			b.StopTimer()
			if _, err := db.SQL().Exec("UPDATE wp_tec_occurrences SET start_date = start_date + INTERVAL 1 DAY WHERE post_id = ?", id); engine == "mariadb" && err != nil {
				b.Fatal(err)
			} else if engine == "sqlite" {
				if _, err := db.SQL().Exec("UPDATE wp_posts SET post_author = ? WHERE ID = ?", 2+round, id); err != nil {
					b.Fatal(err)
				}
			}
			b.StartTimer()
			tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: id})
			if err := listing.Refresh(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
