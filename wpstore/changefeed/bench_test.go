package changefeed_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// BenchmarkFeed measures how long after a commit the tracker is told, and what it
// takes to be caught up when nothing has changed.
func BenchmarkFeed(b *testing.B) {
	db := newSite(b, wptest.Replicated(b), nil)
	if _, err := db.SQL().Exec("INSERT INTO wp_usermeta (user_id) VALUES (1)"); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error)
	tracker := invalidation.NewTracker()
	go func() { ended <- db.Follow(ctx, tracker, changefeed.Observer{}) }()
	defer func() { cancel(); <-ended }()
	for !tracker.Active() {
		time.Sleep(time.Millisecond)
	}
	told := make(chan time.Time, 1)
	tracker.Listen(func([]invalidation.Tag, bool) { told <- time.Now() })
	b.Run("delay", func(b *testing.B) {
		var delays []time.Duration
		for b.Loop() {
			if _, err := db.SQL().Exec("UPDATE wp_usermeta SET umeta_id = umeta_id + 1"); err != nil {
				b.Fatal(err)
			}
			committed := time.Now()
			delays = append(delays, (<-told).Sub(committed))
		}
		slices.Sort(delays)
		b.ReportMetric(float64(delays[len(delays)/2].Microseconds()), "µs-p50")
		b.ReportMetric(float64(delays[len(delays)*99/100].Microseconds()), "µs-p99")
	})
	b.Run("caught-up", func(b *testing.B) {
		for b.Loop() {
			if err := db.CatchUp(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("caught-up-16", func(b *testing.B) {
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := db.CatchUp(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}
