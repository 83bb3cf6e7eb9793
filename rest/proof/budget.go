package proof

import (
	"sync"
	"time"
)

// budget bounds the requests with which objects in use are compared again before they expire. It is
// safe for concurrent use.
type budget struct {
	mu sync.Mutex
	// took is the average time of WordPress's latest responses to comparisons, in seconds.
	took float64
	left float64 // requests that may be sent now
	at   time.Time
}

const (
	// latestTook is the weight of the latest response in the average.
	latestTook = 0.1
	// mostLeft bounds the requests that may be sent at once after a pause.
	mostLeft = 8
)

// note adds the time that WordPress took for a response to the average.
func (b *budget) note(took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.took == 0 {
		b.took = took.Seconds()
	}
	b.took += latestTook * (took.Seconds() - b.took)
}

// take reports whether a request may be sent now. percent is the share of the time that WordPress may
// be kept busy with such requests, if it answers one at a time.
func (b *budget) take(now time.Time, percent float64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.took == 0 || percent <= 0 {
		return false
	}
	if b.at.IsZero() {
		b.left = mostLeft
	}
	b.left = min(b.left+max(now.Sub(b.at).Seconds(), 0)*percent/100/b.took, mostLeft)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}
