package rollout

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"

	"calbridge/rest/api"
)

// Limits bound the cost of comparing.
type Limits struct {
	Workers    int   // comparisons at a time; 4 if zero
	Queue      int   // comparisons that wait; 256 if zero
	QueueBytes int64 // memory of those; 32 MiB if zero
	Answer     int64 // bytes of a response; 2 MiB if zero
}

func (l Limits) completed() Limits {
	return Limits{cmp.Or(l.Workers, 4), cmp.Or(l.Queue, 256), cmp.Or(l.QueueBytes, 32<<20), cmp.Or(l.Answer, 2<<20)}
}

// Reasons for which a comparison is not made.
const (
	DropQueue    = "queue"    // the queue is full
	DropMemory   = "memory"   // the queue takes too much memory
	DropTooLarge = "toolarge" // the response is too large
	DropClosed   = "closed"   // a reload or a stop
)

// DropReasons lists all reasons.
func DropReasons() []string { return []string{DropQueue, DropMemory, DropTooLarge, DropClosed} }

// comparing is the guard's name for the work of a shadow.
const comparing = "comparing"

// shadow makes comparisons in the background.
type shadow struct {
	h         *Handler
	each      func(context.Context, *comparison)
	ctx       context.Context // until close
	maxAnswer int64
	maxBytes  int64
	queue     chan *comparison
	bytes     atomic.Int64 // of the queue and the workers
	open      atomic.Int64 // comparisons in the queue and with the workers
	cancel    context.CancelFunc
	workers   sync.WaitGroup
}

func newShadow(h *Handler, l Limits) *shadow {
	ctx, cancel := context.WithCancel(context.Background())
	return &shadow{h: h, maxAnswer: l.Answer, maxBytes: l.QueueBytes, queue: make(chan *comparison, l.Queue), ctx: ctx, cancel: cancel}
}

// start makes comparisons from now on, each by s.each.
func (s *shadow) start(workers int) {
	for range workers {
		s.h.Guard.Loop(s.ctx, &s.workers, comparing, s.work)
	}
}

func (s *shadow) work(ctx context.Context) {
	for c := range s.queue {
		s.each(ctx, c)
		s.bytes.Add(-c.size)
		s.open.Add(-1)
	}
}

// close drops the queue. offer must not be called afterwards.
func (s *shadow) close() {
	s.cancel()
	close(s.queue)
	s.workers.Wait()
}

// wants reports whether a request should be compared: by the draw, by its method, and by the
// room in the queue, so that a full queue costs no copies of responses.
func (s *shadow) wants(r *http.Request) bool {
	if share := s.h.Compared; share < 100 && rand.Float64()*100 >= share || !api.PlainGET(r) {
		return false
	}
	return s.room()
}

func (s *shadow) room() bool {
	switch {
	case len(s.queue) == cap(s.queue):
		s.h.Observer.Dropped(DropQueue)
	case s.bytes.Load() >= s.maxBytes:
		s.h.Observer.Dropped(DropMemory)
	default:
		return true
	}
	return false
}

// oneSided are request headers to which the two sides may react differently.
var oneSided = []string{"Accept-Encoding", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range"}

// offer queues a comparison or drops it, and reports which. It never waits.
func (s *shadow) offer(c *comparison) (queued bool) {
	// The request belongs to the server when the handler returns.
	c.request = c.request.Clone(context.Background())
	c.request.Body = http.NoBody
	for _, name := range oneSided {
		c.request.Header.Del(name)
	}
	c.size = headerSize(c.request.Header) + int64(len(c.request.RequestURI))
	if c.theirs != nil {
		c.size += int64(cap(c.theirs.Body)) + headerSize(c.theirs.Header)
	}
	if s.bytes.Add(c.size) > s.maxBytes {
		s.bytes.Add(-c.size)
		s.h.Observer.Dropped(DropMemory)
		return false
	}
	s.open.Add(1)
	select {
	case s.queue <- c:
		return true
	default:
		s.open.Add(-1)
		s.bytes.Add(-c.size)
		s.h.Observer.Dropped(DropQueue)
		return false
	}
}

func headerSize(h http.Header) (n int64) {
	for name, values := range h {
		n += int64(len(name)) + 64
		for _, value := range values {
			n += int64(len(value)) + 16
		}
	}
	return n
}
