package console

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Slow describes one of the slowest requests.
type Slow struct {
	At      time.Time `json:"at"`
	Method  string    `json:"method"`
	Route   string    `json:"route"`
	Status  int       `json:"status"`
	Cache   string    `json:"cache"`
	Queries int       `json:"queries"`
	Bytes   int       `json:"bytes"`
	Took    float64   `json:"ms"`
}

// These constants divide an hour into spans. The slowest requests of each span are kept.
const (
	spanLength = 5 * time.Minute
	spans      = 12
	perSpan    = 20
)

// slowest collects the slowest requests of the last hour. It is safe for concurrent use. A
// request that is not among them costs two atomic loads.
type slowest struct {
	least atomic.Uint64 // a request that takes more nanoseconds is among the slowest of its span
	ends  atomic.Int64  // end of the span, in nanoseconds since 1970

	mu    sync.Mutex
	spans []slowSpan // oldest first
}

type slowSpan struct {
	begin time.Time
	list  []Slow // slowest first
}

func (s *slowest) note(at time.Time, took time.Duration, request func() Slow) {
	if uint64(max(took, 0)) < s.least.Load() && at.UnixNano() < s.ends.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.UnixNano() >= s.ends.Load() {
		s.spans = append(s.spans, slowSpan{begin: at})
		if len(s.spans) > spans {
			s.spans = slices.Delete(s.spans, 0, len(s.spans)-spans)
		}
		s.ends.Store(at.Add(spanLength).UnixNano())
		s.least.Store(0)
	}
	span := &s.spans[len(s.spans)-1]
	r := request()
	r.At, r.Took = at, float64(took.Microseconds())/1000
	i, _ := slices.BinarySearchFunc(span.list, r, func(a, b Slow) int { return cmp.Compare(b.Took, a.Took) })
	if i == perSpan {
		return
	}
	span.list = slices.Insert(span.list, i, r)
	if len(span.list) > perSpan {
		span.list = span.list[:perSpan]
	}
	if len(span.list) == perSpan {
		s.least.Store(uint64(span.list[perSpan-1].Took * 1e6))
	}
}

// list returns the slowest requests of the last hour, slowest first.
func (s *slowest) list(now time.Time) []Slow {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []Slow{}
	for _, span := range s.spans {
		if now.Sub(span.begin) < spans*spanLength {
			all = append(all, span.list...)
		}
	}
	slices.SortStableFunc(all, func(a, b Slow) int { return cmp.Compare(b.Took, a.Took) })
	return all[:min(len(all), perSpan)]
}
