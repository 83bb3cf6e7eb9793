package webhook

import (
	"math/rand/v2"
	"time"
)

// delays are the times between attempts, as Standard Webhooks recommends. After the last one the target
// is disabled: about three days after the first attempt.
var delays = [...]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// maxAsked is the longest time that a target may ask to wait, by Retry-After.
const maxAsked = 24 * time.Hour

// nextDelay returns the time to wait after so many failed attempts, with up to a tenth added by chance, so
// that targets on one server don't come at once. ok is false if there is no further attempt. asked is
// the time that the target asked for.
func nextDelay(attempts int, asked time.Duration) (wait time.Duration, ok bool) {
	if attempts > len(delays) {
		return 0, false
	}
	wait = delays[max(attempts, 1)-1]
	wait += rand.N(wait/10 + 1)
	return max(wait, min(asked, maxAsked)), true
}
