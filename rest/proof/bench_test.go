package proof

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
)

// BenchmarkMemory measures what is remembered: bytes for each object, open or closed, and for each
// shape, proven or not.
//
//	go test -run - -bench Memory -benchtime 1x ./rest/proof
func BenchmarkMemory(b *testing.B) {
	const n = 100_000
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	tracker := invalidation.NewTracker()
	s := &Settings{Comparisons: 20, Time: 10 * time.Minute, Bytes: 1 << 40}
	tags := func(id int64) []invalidation.Tag { return []invalidation.Tag{{Kind: invalidation.Post, ID: id + 1}} }
	shape := func(i int) Shape {
		return Shape{Route: "/events", Arguments: fmt.Sprintf("categories=list end_date=date page=number per_page=number search=text start_date=date tags=%d", i), Answer: "application/json"}
	}
	for _, c := range []struct {
		name string
		fill func() any
	}{
		{"object seen", func() any {
			o := newObjects(tracker, s.maxObjects(), time.Now)
			for id := range int64(n) {
				o.show(place{"/events/{id}", "", ""}, o.stamp(), tags(id))
			}
			return o
		}},
		{"object closed", func() any {
			o := newObjects(tracker, s.maxObjects(), time.Now)
			for id := range int64(n) {
				o.refuse(place{"/events/{id}", "", ""}, o.stamp(), tags(id))
			}
			return o
		}},
		{"shape being proved", func() any {
			book := newBook(s)
			for i := range n {
				e := book.open(shape(i))
				for request := range uint64(s.Comparisons - 1) {
					e.same(s, request, time.Unix(int64(request), 0))
				}
			}
			return book
		}},
		{"shape proven", func() any {
			book := newBook(&Settings{Comparisons: 1, Bytes: s.Bytes})
			for i := range n {
				book.open(shape(i)).same(book.settings, 1, time.Unix(1, 0))
			}
			return book
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				before := heap()
				kept := c.fill()
				b.ReportMetric((heap()-before)/n, "B/each")
				runtime.KeepAlive(kept)
			}
		})
	}
}
