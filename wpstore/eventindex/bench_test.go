package eventindex

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"calbridge/wpstore"
)

// calendar builds an index of n events spread evenly over two years around a day,
// as wptest generates them: one venue of n/50, one or two organizers of n/100,
// twelve categories, twenty tags, three languages.
func calendar(n int) (*sortedRows, func(i int) event) {
	begin := time.Date(2025, 11, 21, 12, 0, 0, 0, time.UTC)
	date := func(t time.Time) date { d, _ := parseDate(t.Format(time.DateTime)); return d }
	event := func(i int) event {
		start := begin.Add(time.Duration(i) * (2 * 365 * 24 * time.Hour / time.Duration(n))).Truncate(15 * time.Minute)
		end := start.Add(time.Duration(1+i%5) * time.Hour)
		e := event{
			ID: int64(10_001 + i*7919%n), Author: 1, Published: date(begin.Add(-time.Duration(i*7919%n) * time.Minute)), Status: "publish",
			Dates:      []dates{{date(start.Add(time.Hour)), date(end.Add(time.Hour)), date(start), date(end)}},
			Categories: []int64{int64(1 + i%12)}, Tags: []int64{int64(13 + i%20), int64(13 + (i+1+i/20%19)%20)},
			Venues: []int64{int64(1001 + i%(n/50+1))}, Organizers: []int64{int64(500_000 + i%(n/100+1))},
			Languages: []string{[]string{"cs", "en", "de"}[i%3]}, Featured: i%100 == 50,
		}
		if i%20 == 7 {
			e.Status = "draft"
		}
		return e
	}
	return sortEvents(n, runRows, event), event
}

// sortEvents builds an index of n events from runs of some rows.
func sortEvents(n, run int, nth func(i int) event) *sortedRows {
	var b rowBuilder
	var sorted runs
	for i := range n {
		e := nth(i)
		if b.add(&e); len(b.rows) >= run {
			sorted.add(byStart, b.rows)
			b.reset()
		}
	}
	sorted.add(byStart, b.rows)
	return sortRows(b.texts, sorted.merge(byStart))
}

var benchSizes = []int{1_000, 10_000, 100_000, 1_000_000}

// between returns a range of starts.
func between(from, to string) []wpstore.Bound {
	return []wpstore.Bound{{Op: ">=", Value: from}, {End: true, Op: "<=", Value: to}}
}

// some returns the ids of some events of a calendar of n.
func some(rng *rand.Rand, n, ids int) []int64 {
	out := make([]int64, ids)
	for i := range out {
		out[i] = int64(10_001 + rng.IntN(n))
	}
	return out
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range benchSizes {
		x, nth := calendar(n)
		x = x.prepare(byPublication)
		rng := rand.New(rand.NewPCG(1, 1))
		upcoming := between("2026-11-21 12:00:00", "2028-11-21 12:00:00")
		base := wpstore.EventQuery{Statuses: []string{"publish"}, UnprotectedOnly: true, Bounds: upcoming, Limit: 10}
		with := func(change func(*wpstore.EventQuery)) func() wpstore.EventQuery {
			return func() wpstore.EventQuery { q := base; change(&q); return q }
		}
		for _, c := range []struct {
			name  string
			query func() wpstore.EventQuery
		}{
			{"page_1", with(func(*wpstore.EventQuery) {})},
			{"page_1000", with(func(q *wpstore.EventQuery) { q.Offset = 9_990 })},
			{"last_page", with(func(q *wpstore.EventQuery) { q.Offset = int64(n/2 - n/20) })},
			{"among_100", with(func(q *wpstore.EventQuery) { q.Include = some(rng, n, 100) })},
			{"among_1000", with(func(q *wpstore.EventQuery) { q.Include = some(rng, n, 1000) })},
			{"among_10000", with(func(q *wpstore.EventQuery) { q.Include = some(rng, n, 10_000) })},
			{"descending", with(func(q *wpstore.EventQuery) { q.Order.Descending = true })},
			{"by_publication", with(func(q *wpstore.EventQuery) { q.Order.ByPublication = true })},
			{"month", with(func(q *wpstore.EventQuery) {
				day := time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(650))
				q.Bounds = between(day.Format(time.DateTime), day.AddDate(0, 1, 0).Format(time.DateTime))
			})},
			{"venue", with(func(q *wpstore.EventQuery) { q.Venues = []int64{int64(1001 + rng.IntN(n/50+1))} })},
			{"category", with(func(q *wpstore.EventQuery) { q.Categories = []int64{int64(1 + rng.IntN(12))} })},
			{"language", with(func(q *wpstore.EventQuery) { q.Language = wpml("en") })},
			{"category_language_any_status", with(func(q *wpstore.EventQuery) { q.Statuses, q.Categories, q.Language = nil, []int64{3, 4}, wpml("cs") })},
			{"include_50", with(func(q *wpstore.EventQuery) {
				for range 50 {
					q.Include = append(q.Include, 10_001+rng.Int64N(int64(n)))
				}
			})},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				b.ReportAllocs()
				var a answer
				for b.Loop() {
					q := c.query()
					var reason Outcome
					if a, reason = x.search(&q); reason != FromIndex {
						b.Fatal(reason)
					}
				}
				b.ReportMetric(float64(a.Total), "total")
			})
		}
		b.Run(fmt.Sprintf("%d/change", n), func(b *testing.B) {
			x, changes := x, 0
			for b.Loop() {
				i := rng.IntN(n)
				e := nth(i)
				changes++
				e.Published += date(changes) * 1_000_000
				e.Dates[0].Start += 1_000_000
				x, _ = x.replace([]int64{e.ID}, []event{e})
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var before, after runtime.MemStats
			var x *sortedRows
			for b.Loop() {
				x = nil
				runtime.GC()
				runtime.ReadMemStats(&before)
				x, _ = calendar(n)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(n), "B/event")
			runtime.KeepAlive(x)
		})
	}
}
