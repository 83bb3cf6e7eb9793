package mirror

import (
	"context"
	"time"
)

// The wait doubles after each error in a row.
const (
	firstWait   = time.Second
	longestWait = time.Minute
	// longestRetryAfter limits the wait that a server may ask for.
	longestRetryAfter = time.Hour
)

// backoff computes how long to wait after errors.
type backoff struct {
	first  time.Duration
	jitter func() float64 // returns a number from 0 to 1
	tries  int
}

// next returns the wait after another error. Half of it is random, so that many clients don't
// return at the same moment. The wait is at least retryAfter, for which the server has asked.
func (b *backoff) next(retryAfter time.Duration) time.Duration {
	wait := min(b.first<<min(b.tries, 10), longestWait)
	b.tries++
	wait = wait/2 + time.Duration(b.jitter()*float64(wait/2))
	return min(retryAfter, longestRetryAfter) + wait
}

// reset must be called after a success.
func (b *backoff) reset() { b.tries = 0 }

// sleep waits. It returns false if the context ends first.
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
