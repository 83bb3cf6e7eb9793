package mirror

import (
	"context"
	"time"
)

// The waits after errors, one after another: each twice as long as the one before.
const (
	firstWait   = time.Second
	longestWait = time.Minute
	// longestRetryAfter bounds what a server may ask for.
	longestRetryAfter = time.Hour
)

// backoff is how long to wait after errors.
type backoff struct {
	first  time.Duration
	jitter func() float64 // from 0 to 1
	tries  int
}

// next returns the wait after one more error, of which a random half keeps many clients from
// coming back at the same moment. The server may have asked for a longer one.
func (b *backoff) next(retryAfter time.Duration) time.Duration {
	wait := min(b.first<<min(b.tries, 10), longestWait)
	b.tries++
	wait = wait/2 + time.Duration(b.jitter()*float64(wait/2))
	return min(retryAfter, longestRetryAfter) + wait
}

// reset follows a success.
func (b *backoff) reset() { b.tries = 0 }

// sleep waits, or returns false when the context ends before.
func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
