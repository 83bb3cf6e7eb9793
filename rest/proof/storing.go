package proof

import (
	"math"
	"sync/atomic"
	"time"

	"calbridge/rest/api"
)

// outdated reports that what caches in front have stored may no longer be what WordPress answers,
// because of something that the prover has learned. Changes of rows and age are not reported.
type outdated struct {
	listener atomic.Pointer[func()]
	// stored reports that a response may have been stored since the last report.
	stored atomic.Bool
}

// report calls the listener if a response may have been stored. Call it after the change that makes
// [release.Holds] return false.
func (o *outdated) report() {
	if o.stored.Load() && o.stored.Swap(false) {
		if f := o.listener.Load(); f != nil {
			(*f)()
		}
	}
}

// Listen makes the prover call f when responses that caches in front have stored may be outdated. f
// must be quick. There is one listener.
func (p *Prover) Listen(f func()) { p.outdated.listener.Store(&f) }

// storing returns what caches in front may store of a released response. They let go of it when it is
// due to be compared again, because otherwise no request for it would arrive before it expires.
func (r *release) storing(now int64) api.Storing {
	age := time.Duration(math.MaxInt64)
	for _, end := range [...]int64{r.until, r.refill} {
		if end != 0 {
			age = min(age, time.Duration(end-now))
		}
	}
	return api.Storing{Age: age, Holds: r}
}

// Holds reports whether the response may still be sent.
func (r *release) Holds() bool {
	p := r.prover
	if !p.outdated.stored.Load() { // before looking, so that a change from now on is reported
		p.outdated.stored.Store(true)
	}
	now := release{generation: p.cfg.Tracker.Generation(), version: p.objects.version.Load(), made: p.cfg.Now().UnixNano()}
	return p.cfg.Tracker.Active() && !p.retired.Load() && p.stands(r, &now)
}
