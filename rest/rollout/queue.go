package rollout

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"

	"calbridge/rest/api"
)

// Limits bound what comparing costs.
type Limits struct {
	// Workers is how many comparisons are made at a time; 4 if zero.
	Workers int
	// Queue is how many wait at most, QueueBytes what they hold at most; 256 and
	// 32 MiB if zero. More are dropped.
	Queue      int
	QueueBytes int64
	// Answer is the largest answer that is compared, in bytes; 2 MiB if zero.
	Answer int64
}

func (l Limits) completed() Limits {
	if l.Workers <= 0 {
		l.Workers = 4
	}
	if l.Queue <= 0 {
		l.Queue = 256
	}
	if l.QueueBytes <= 0 {
		l.QueueBytes = 32 << 20
	}
	if l.Answer <= 0 {
		l.Answer = 2 << 20
	}
	return l
}

// Reasons for which a comparison is not made.
const (
	DropQueue    = "queue"    // too many wait
	DropMemory   = "memory"   // those that wait hold too much
	DropTooLarge = "toolarge" // the answer is too large
	DropClosed   = "closed"   // the settings changed, or calbridge stops
)

// DropReasons lists all reasons.
func DropReasons() []string { return []string{DropQueue, DropMemory, DropTooLarge, DropClosed} }

// shadow makes comparisons behind the clients' backs.
type shadow struct {
	h         *Handler
	maxAnswer int64
	maxBytes  int64
	queue     chan *comparison
	held      atomic.Int64 // bytes
	cancel    context.CancelFunc
	workers   sync.WaitGroup
}

func newShadow(h *Handler, l Limits) *shadow {
	ctx, cancel := context.WithCancel(context.Background())
	s := &shadow{h: h, maxAnswer: l.Answer, maxBytes: l.QueueBytes, queue: make(chan *comparison, l.Queue), cancel: cancel}
	for range l.Workers {
		s.workers.Go(func() { s.work(ctx) })
	}
	return s
}

func (s *shadow) work(ctx context.Context) {
	for c := range s.queue {
		s.compare(ctx, c)
		s.held.Add(-c.size)
	}
}

// close gives up what waits. Nothing may be offered any more.
func (s *shadow) close() {
	s.cancel()
	close(s.queue)
	s.workers.Wait()
}

// wants says whether a request should be compared: the draw says so, both sides may
// be asked, and there is room. What finds no room should not cost a copy.
func (s *shadow) wants(r *http.Request) bool {
	if share := s.h.Compared; share < 100 && rand.Float64()*100 >= share || !api.PlainGET(r) {
		return false
	}
	switch {
	case len(s.queue) == cap(s.queue):
		s.h.Observer.Dropped(DropQueue)
	case s.held.Load() >= s.maxBytes:
		s.h.Observer.Dropped(DropMemory)
	default:
		return true
	}
	return false
}

// oneSided are request headers by which the two sides may pack an answer
// differently, or leave it out.
var oneSided = []string{"Accept-Encoding", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range"}

// offer queues a comparison, unless it finds no room any more. It never waits.
func (s *shadow) offer(c *comparison) {
	// The server takes the request back when the handler returns.
	c.request = c.request.Clone(context.Background())
	c.request.Body = http.NoBody
	for _, name := range oneSided {
		c.request.Header.Del(name)
	}
	c.size = headerSize(c.request.Header) + int64(len(c.request.RequestURI))
	if c.theirs != nil {
		c.size += int64(cap(c.theirs.Body)) + headerSize(c.theirs.Header)
	}
	if s.held.Add(c.size) > s.maxBytes {
		s.held.Add(-c.size)
		s.h.Observer.Dropped(DropMemory)
		return
	}
	select {
	case s.queue <- c:
	default:
		s.held.Add(-c.size)
		s.h.Observer.Dropped(DropQueue)
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
