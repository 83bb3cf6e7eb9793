package listing

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// calendar builds an index of n events spread evenly over two years around a day,
// as wptest generates them: one venue of n/50, one or two organizers of n/100,
// twelve categories, twenty tags, three languages.
func calendar(n int) (*Index, func(i int) Event) {
	begin := time.Date(2025, 11, 21, 12, 0, 0, 0, time.UTC)
	date := func(t time.Time) Date { d, _ := ParseDate(t.Format(time.DateTime)); return d }
	event := func(i int) Event {
		start := begin.Add(time.Duration(i) * (2 * 365 * 24 * time.Hour / time.Duration(n))).Truncate(15 * time.Minute)
		end := start.Add(time.Duration(1+i%5) * time.Hour)
		e := Event{
			ID: int64(10_001 + i), Author: 1, Published: date(begin.Add(-time.Duration(i*7919%n) * time.Minute)), Status: "publish",
			Dates:      []Dates{{date(start.Add(time.Hour)), date(end.Add(time.Hour)), date(start), date(end)}},
			Categories: []int64{int64(1 + i%12)}, Tags: []int64{int64(13 + i%20), int64(13 + (i+1+i/20%19)%20)},
			Venues: []int64{int64(1001 + i%(n/50+1))}, Organizers: []int64{int64(500_000 + i%(n/100+1))},
			Languages: []string{[]string{"cs", "en", "de"}[i%3]}, Featured: i%100 == 50,
		}
		if i%20 == 7 {
			e.Status = "draft"
		}
		return e
	}
	var b Builder
	for i := range n {
		b.Add(event(i))
	}
	return b.Build(ByStart), event
}

var benchSizes = []int{1_000, 10_000, 100_000, 1_000_000}

// window is a range of starts.
func window(from, to string) []Bound {
	low, _ := ParseDate(from)
	high, _ := ParseDate(to)
	return []Bound{{Op: ">=", Date: low}, {End: true, Op: "<=", Date: high}}
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range benchSizes {
		x, event := calendar(n)
		x = x.Prepare(ByPublication)
		rng := rand.New(rand.NewPCG(1, 1))
		upcoming := window("2026-11-21 12:00:00", "2028-11-21 12:00:00")
		base := Query{Statuses: []string{"publish"}, UnprotectedOnly: true, Bounds: upcoming, Limit: 10}
		with := func(change func(*Query)) func() Query {
			return func() Query { q := base; change(&q); return q }
		}
		for _, c := range []struct {
			name  string
			query func() Query
		}{
			{"page_1", with(func(*Query) {})},
			{"page_1000", with(func(q *Query) { q.Offset = 9_990 })},
			{"last_page", with(func(q *Query) { q.Offset = int64(n/2 - n/20) })},
			{"descending", with(func(q *Query) { q.Descending = true })},
			{"by_publication", with(func(q *Query) { q.OrderByPublication = true })},
			{"month", with(func(q *Query) {
				day := time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(650))
				q.Bounds = window(day.Format(time.DateTime), day.AddDate(0, 1, 0).Format(time.DateTime))
			})},
			{"venue", with(func(q *Query) { q.Venues = []int64{int64(1001 + rng.IntN(n/50+1))} })},
			{"category", with(func(q *Query) { q.Categories = []int64{int64(1 + rng.IntN(12))} })},
			{"language", with(func(q *Query) { q.Languages = []string{"en"} })},
			{"category_language_any_status", with(func(q *Query) { q.Statuses, q.Categories, q.Languages = nil, []int64{3, 4}, []string{"cs"} })},
			{"include_50", with(func(q *Query) {
				for range 50 {
					q.Include = append(q.Include, 10_001+rng.Int64N(int64(n)))
				}
			})},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				b.ReportAllocs()
				var a Answer
				for b.Loop() {
					q := c.query()
					var reason Reason
					if a, reason = x.Search(&q); reason != Answered {
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
				e := event(i)
				changes++
				e.Published += Date(changes) * 1_000_000
				e.Dates[0].Start += 1_000_000
				x, _ = x.Replace([]int64{e.ID}, []Event{e})
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var before, after runtime.MemStats
			var x *Index
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
