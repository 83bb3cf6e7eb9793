package purge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// again is the time after which each call is repeated.
	again = 500 * time.Millisecond
	// mostCalls is the number of calls above which everything is purged instead.
	mostCalls = 4
	// The pause after a call that failed doubles from minPause to maxPause.
	minPause = 200 * time.Millisecond
	maxPause = 10 * time.Second
	// callTimeout bounds one call.
	callTimeout = 10 * time.Second
)

// target is a cache that is purged.
type target struct {
	Target
	cfg     *Config
	client  *http.Client
	limiter *rate.Limiter
	signal  chan struct{} // has an element while there is something new

	mu       sync.Mutex
	names    map[string]struct{}
	since    time.Time // of the first change in names; zero if there is none
	repeated []repetition
	// added is the latest pass that has added names. The cache has accepted the names of all passes up to
	// confirmed twice.
	added, confirmed uint64
}

// repetition are names that are purged for the second time at due.
type repetition struct {
	due   time.Time
	names []string
	pass  uint64 // the latest of which it has names
}

// batch holds the names that one round of calls purges. Those in first have not been purged yet.
type batch struct {
	first, all []string
	since      time.Time
	// pass is the latest pass whose names are in first or were purged before; repeats is the latest that is
	// repeated, 0 for none.
	pass, repeats uint64
}

func newTarget(t Target, cfg *Config) *target {
	client := &http.Client{Timeout: callTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &target{Target: t, cfg: cfg, client: client, limiter: rate.NewLimiter(rate.Limit(t.Rate), t.Burst), signal: make(chan struct{}, 1), names: map[string]struct{}{}}
}

// add adds names of a pass, which changed at since or later.
func (t *target) add(names []string, since time.Time, pass uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.added = max(t.added, pass)
	all := t.cfg.Policy.All()
	for _, name := range names {
		t.names[name] = struct{}{}
	}
	_, whole := t.names[all]
	if crowded := len(t.names) > mostCalls*t.limits().names; whole && len(t.names) > 1 || crowded {
		t.names = map[string]struct{}{all: {}}
		whole = crowded && !whole
	} else {
		whole = whole && slices.Contains(names, all)
	}
	if whole {
		t.cfg.Observer.Whole(t.Name)
	}
	if t.since.IsZero() || since.Before(t.since) {
		t.since = since
	}
	select {
	case t.signal <- struct{}{}:
	default:
	}
}

// waiting returns for how long the oldest change has not been purged.
func (t *target) waiting() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.since.IsZero() {
		return 0
	}
	return time.Since(t.since)
}

// isConfirmed reports whether the cache has accepted the names of all passes up to one, and again after the
// time for a repetition.
func (t *target) isConfirmed(pass uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.confirmed >= pass
}

// run purges until the context ends.
func (t *target) run(ctx context.Context) {
	pause := minPause
	failing := false
	for t.wait(ctx) {
		err := t.round(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			if failing {
				t.cfg.Logger.Info("the cache in front is purged again", "cache", t.Name)
			}
			pause, failing = minPause, false
			continue
		}
		if !failing {
			t.cfg.Logger.Warn("the cache in front can't be purged; it may serve outdated responses", "cache", t.Name, "error", err)
		}
		failing = true
		var limited *limitedError
		errors.As(err, &limited)
		wait := pause
		if limited != nil {
			wait = max(pause, limited.after)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		pause = min(2*pause, maxPause)
	}
}

// wait waits until something is to be purged. It returns false when the context ends.
func (t *target) wait(ctx context.Context) bool {
	for {
		due, ok := t.next()
		if ok && !due.After(time.Now()) {
			return true
		}
		var timer <-chan time.Time
		if ok {
			timer = time.After(time.Until(due))
		}
		select {
		case <-ctx.Done():
			return false
		case <-t.signal:
		case <-timer:
		}
	}
}

// next returns when something is to be purged next; ok is false if nothing is.
func (t *target) next() (due time.Time, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case len(t.names) > 0:
		return time.Time{}, true
	case len(t.repeated) > 0:
		return t.repeated[0].due, true
	}
	return due, false
}

// take removes what is to be purged now.
func (t *target) take() (b batch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b.since, b.pass = t.since, t.added
	b.first = slices.Collect(maps.Keys(t.names))
	all := t.names
	t.names, t.since = map[string]struct{}{}, time.Time{}
	for len(t.repeated) > 0 && !t.repeated[0].due.After(time.Now()) {
		for _, name := range t.repeated[0].names {
			all[name] = struct{}{}
		}
		b.repeats = t.repeated[0].pass
		t.repeated = t.repeated[1:]
	}
	if whole := t.cfg.Policy.All(); len(all) > 1 {
		if _, ok := all[whole]; ok {
			all = map[string]struct{}{whole: {}}
		}
	}
	b.all = slices.Sorted(maps.Keys(all))
	return b
}

// round purges what is to be purged now. After an error everything of it is purged again.
func (t *target) round(ctx context.Context) error {
	if err := t.limiter.Wait(ctx); err != nil { // before take: what arrives meanwhile is part of the same call
		return err
	}
	b, done := t.take(), false
	defer func() {
		if !done { // also when a call panics
			since := b.since
			if since.IsZero() {
				since = time.Now()
			}
			t.add(b.all, since, b.pass)
		}
	}()
	for i, names := range t.calls(b.all) {
		if i > 0 {
			if err := t.limiter.Wait(ctx); err != nil {
				return err
			}
		}
		if err := t.call(ctx, names); err != nil {
			return err
		}
	}
	done = true
	if len(b.first) > 0 {
		t.cfg.Observer.Purged(t.Name, time.Since(b.since))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.confirmed = max(t.confirmed, b.repeats)
	if len(b.first) > 0 {
		t.repeated = append(t.repeated, repetition{time.Now().Add(again), b.first, b.pass})
	}
	return nil
}

// calls divides names by what one call may have.
func (t *target) calls(names []string) (calls [][]string) {
	limits, size, begin := t.limits(), 0, 0
	for i, name := range names {
		size += len(name) + 1
		if i > begin && (i-begin >= limits.names || limits.bytes > 0 && size > limits.bytes) {
			calls = append(calls, names[begin:i])
			begin, size = i, len(name)+1
		}
	}
	return append(calls, names[begin:])
}

// call purges names by one call.
func (t *target) call(ctx context.Context, names []string) error {
	result := ResultFailed
	defer func() { t.cfg.Observer.Called(t.Name, result) }()
	r, err := t.request(ctx, names)
	if err != nil {
		return err
	}
	resp, err := t.client.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	err = t.judge(resp)
	switch limited := (*limitedError)(nil); {
	case err == nil:
		result = ResultDone
	case errors.As(err, &limited):
		result = ResultLimited
	}
	return err
}

// limitedError is returned when a provider refuses a call because of its rate limit.
type limitedError struct{ after time.Duration }

func (e *limitedError) Error() string {
	return fmt.Sprintf("the provider's rate limit is reached; it accepts calls again after %s", e.after)
}
