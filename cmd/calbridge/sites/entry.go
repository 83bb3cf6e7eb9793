package sites

import (
	"context"
	"errors"
	"sync"
	"time"

	"calbridge/cmd/calbridge/figures"
	"calbridge/cmd/calbridge/site"
	"calbridge/rest"
)

const (
	// openTimeout bounds the opening of a site.
	openTimeout = 30 * time.Second
	// retryAfter is the time for which a site that can't be opened is left alone.
	retryAfter = 5 * time.Second
)

// entry is a site that was asked for.
type entry struct {
	set     *Set
	traffic figures.Traffic
	turns   turns // of its requests

	renewing sync.Mutex // held while the open site is reopened

	mu   sync.Mutex
	site *Site
	live *site.Live // nil unless it is open
	// users is the number of requests in flight, and used the time of the last one's end or beginning.
	users int
	used  time.Time
	// about describes the site as it was in memory last; nil if it never was.
	about *rest.About
	// opening is closed when the site has been opened, or has failed to; nil unless it is being opened.
	opening chan struct{}
	// failed is the reason why the site can't be opened, and retry the time of the next attempt.
	failed error
	retry  time.Time
	// unwatch ends the goroutine that reopens the site when its facts change.
	unwatch context.CancelFunc
	watched sync.WaitGroup
}

var errGone = errors.New("the site is gone")

// enter returns the open site, which leave must follow. It opens the site if necessary.
func (e *entry) enter(ctx context.Context) (*site.Live, error) {
	for {
		e.mu.Lock()
		switch {
		case e.site == nil:
			e.mu.Unlock()
			return nil, errGone
		case e.live != nil:
			e.users++
			e.used = e.set.Now()
			live := e.live
			e.mu.Unlock()
			return live, nil
		case e.failed != nil && e.set.Now().Before(e.retry):
			err := e.failed
			e.mu.Unlock()
			return nil, err
		case e.opening == nil:
			e.opening = make(chan struct{})
			e.set.guard.Go(&e.set.work, "opening a site", e.open)
		}
		opening := e.opening
		e.mu.Unlock()
		select {
		case <-opening:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// hold returns the site, so that release must follow, if it is open. Unlike enter it doesn't count as
// use.
func (e *entry) hold() (live *site.Live, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.live == nil {
		return nil, false
	}
	e.users++
	return e.live, true
}

// release ends what hold began.
func (e *entry) release() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.users--
}

// leave ends a request.
func (e *entry) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.users--
	e.used = e.set.Now()
}

// open opens the site.
func (e *entry) open() {
	of := e.of()
	var live *site.Live
	err := errGone
	if of != nil {
		live, err = e.set.open(of, &e.traffic)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	defer close(e.opening)
	e.opening = nil
	e.used = e.set.Now()
	if e.site != of { // it has changed meanwhile: the next request opens it as it is now
		if live != nil {
			e.set.guard.Go(&e.set.work, "closing a site that has changed", func() { e.set.logClosing(live.Close()) })
		}
		return
	}
	if err != nil {
		if e.failed == nil || e.failed.Error() != err.Error() {
			e.set.Logger.Error("a site can't be served", "site", of.name(), "err", err)
		}
		e.failed, e.retry = err, e.set.Now().Add(retryAfter)
		return
	}
	e.live, e.failed = live, nil
	select {
	case e.set.opened <- struct{}{}:
	default:
	}
	ctx, cancel := context.WithCancel(context.Background())
	e.unwatch = cancel
	e.set.guard.Loop(ctx, &e.watched, "reopening a site whose facts have changed", func(ctx context.Context) { e.watch(ctx, live) })
}

// name returns the name of a site, which may be nil.
func (s *Site) name() string {
	if s == nil {
		return ""
	}
	return s.Name
}

// open opens a site.
func (s *Set) open(of *Site, traffic *figures.Traffic) (*site.Live, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	logger, m := s.Logger.With("site", of.Name), s.metricsOf(of)
	var opened *site.Site
	err := s.guard.Do("opening a site", func() error {
		shared, err := s.shared.of(ctx, of.Settings)
		if err != nil {
			return err
		}
		shared.Traffic = traffic
		opened, err = site.OpenShared(ctx, of.Settings, shared, logger, m)
		return err
	})
	if err != nil {
		return nil, err
	}
	return site.NewLive(opened, logger, m), nil
}

// watch reopens the site whenever its facts change.
func (e *entry) watch(ctx context.Context, live *site.Live) {
	for {
		select {
		case <-live.Changed():
			if err := e.renew(ctx, live); err != nil && ctx.Err() == nil {
				e.set.Logger.Error("a site could not be reopened: its previous settings stay in force", "site", e.of().name(), "err", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// of returns the site, nil once it is gone.
func (e *entry) of() *Site {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.site
}

// renew reopens an open site with its latest settings.
func (e *entry) renew(ctx context.Context, live *site.Live) error {
	e.renewing.Lock()
	defer e.renewing.Unlock()
	of := e.of()
	if of == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	shared, err := e.set.shared.of(ctx, of.Settings)
	if err != nil {
		return err
	}
	shared.Traffic = &e.traffic
	return live.RenewShared(ctx, of.Settings, shared)
}

// use makes the entry the one of a site with perhaps other settings. It reports whether an open site
// has to be reopened.
func (e *entry) use(of *Site) (renew bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.site == of {
		return false
	}
	renew = e.live != nil && e.site.Settings != of.Settings && e.site.Settings.Fingerprint() != of.Settings.Fingerprint()
	e.site, e.failed = of, nil
	return renew
}

// revive makes the entry of a site that was gone, and is still open for a request, that of a site again.
func (e *entry) revive(of *Site) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.site == nil {
		e.site = of
	}
}

// unload closes the site if no request is in flight, and reports whether it was open. With gone it can't be
// opened again.
func (e *entry) unload(gone bool) (unloaded bool, err error) {
	e.mu.Lock()
	if gone {
		e.site = nil
	}
	if e.live == nil || e.users > 0 {
		e.mu.Unlock()
		return false, nil
	}
	live, unwatch := e.live, e.unwatch
	e.live, e.unwatch = nil, nil
	e.mu.Unlock()
	unwatch()
	e.watched.Wait()
	return true, live.Close()
}

// figures returns what the site has done, and how it is. ok is false once it is gone.
func (e *entry) figures() (f figures.Site, ok bool) {
	e.mu.Lock()
	of, live, failed := e.site, e.live, e.failed
	e.mu.Unlock()
	if of == nil {
		return f, false
	}
	f = figures.Site{Name: of.Name, Address: of.Address, Mode: string(of.Settings.Rollout.Plan.Mode), State: figures.Idle}
	switch {
	case of.Closed != "":
		f.State, f.Why = figures.Closed, of.Closed
	case live != nil:
		f.State = figures.Open
	case failed != nil:
		f.State, f.Why = figures.Broken, failed.Error()
	}
	e.traffic.AddTo(&f)
	if live, ok := e.hold(); ok {
		f.Bytes, _ = live.Cached()
		e.release()
	}
	return f, true
}

// state returns the open site, nil for none, whether requests are in flight, and the time of the last one.
func (e *entry) state() (live *site.Live, busy bool, used time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.live, e.users > 0, e.used
}
