package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// target is a target at work. It is safe for concurrent use.
type target struct {
	*Target
	sender *Sender

	// delivering is held during deliveries: the target gets one at a time.
	delivering sync.Mutex
	// failures counts the deliveries of any site that failed one after another, and retry is the time of the
	// next attempt; both are used while delivering is held.
	failures int
	retry    time.Time
	// disabled is set once the target is disabled, until a replay.
	disabled atomic.Bool
}

// subscription tells a target of the changes of one site. One goroutine has it.
type subscription struct {
	*target
	key  string // in the store
	site *served
	// lists reads the site's list.
	lists *lists
	wake  chan struct{} // after a replay
	// trouble is the error that was logged last.
	trouble string

	// at is the position while known is set: nothing waits to be delivered, and nothing was stored since.
	// Only its token may be newer than the saved one, which was read at stored.
	at     position
	known  bool
	saved  string
	stored time.Time
	// looked is the time of the last reading of the list, and rest the least time between two readings: it
	// grows while others' events change all the time.
	looked time.Time
	rest   time.Duration
}

// keyOf returns the name under which the store has what a target was told of a site.
func keyOf(target, site string) string {
	if site == "" {
		return target
	}
	return target + "/" + site
}

// parseKey returns the names of the target and of the site of a key.
func parseKey(key string) (target, site string) {
	target, site, _ = strings.Cut(key, "/")
	return target, site
}

const (
	minRest = 20 * time.Millisecond
	maxRest = 2 * time.Second
)

// pageSize is the number of events of a page.
const pageSize = "per_page=50"

// lag is the time after which what has changed while a list was read is read too.
const lag = time.Second

// troubleDelay is the time after an error of our own, such as a full disk.
const troubleDelay = 5 * time.Second

// run delivers and looks for changes until ctx ends.
func (s *subscription) run(ctx context.Context) {
	for ctx.Err() == nil {
		_, _, changed := s.site.now()
		wait, moved, err := s.turn(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return
			}
			if err.Error() != s.trouble {
				s.sender.cfg.Logger.Warn("webhooks wait", "target", s.key, "err", err)
			}
			s.trouble = err.Error()
			wait, moved = troubleDelay, nil
		} else {
			s.trouble = ""
		}
		if wait <= 0 {
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-moved:
			s.pause(ctx)
		case <-changed:
		case <-s.wake:
			s.known = false
		}
		timer.Stop()
	}
}

// pause waits until a target that was not concerned by the last changes may look again.
func (s *subscription) pause(ctx context.Context) {
	timer := time.NewTimer(s.rest - s.sender.cfg.Now().Sub(s.looked))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-s.wake:
		s.known = false
	}
}

// turn delivers some messages, or reads one page if there are none. It returns how long to wait before the
// next turn, and a channel that ends the wait.
func (s *subscription) turn(ctx context.Context) (wait time.Duration, moved <-chan struct{}, err error) {
	if !s.known || s.disabled.Load() {
		p, err := s.sender.store.position(ctx, s.key)
		if err != nil {
			return 0, nil, err
		}
		if !p.disabled.IsZero() {
			return idle, nil, nil
		}
		waiting, err := s.sender.store.next(ctx, p, batch)
		if err != nil {
			return 0, nil, err
		}
		if len(waiting) > 0 {
			if wait := waiting[0].due.Sub(s.sender.cfg.Now()); wait > 0 {
				return min(wait, idle), nil, nil
			}
			wait, err := s.deliver(ctx, p, waiting)
			return wait, nil, err
		}
		s.at, s.known, s.saved = p, true, p.token
	}
	more, moved, err := s.read(ctx)
	switch {
	case err != nil || more:
		return 0, nil, err
	case s.at.listing == reading:
		return lag, nil, nil
	}
	return idle, moved, nil
}

// read reads a page. It reports whether there is something to do at once, and returns a channel that is closed
// when something has changed since.
func (s *subscription) read(ctx context.Context) (more bool, moved <-chan struct{}, err error) {
	store, p := s.sender.store, s.at
	s.looked = s.sender.cfg.Now()
	var query []string
	for _, part := range []string{s.Filters, pageSize, p.token} {
		if part != "" {
			query = append(query, part)
		}
	}
	r, moved := s.lists.read(ctx, strings.Join(query, "&"))
	switch {
	case r.err != nil:
		return false, nil, r.err
	case r.status == http.StatusGone && p.token != "":
		s.known = false
		return true, nil, store.restart(ctx, p)
	case r.status != http.StatusOK:
		return false, nil, fmt.Errorf("the list of events can't be read: status %d, %.300s", r.status, r.body)
	}
	if r.page.nothing() && p.listing == listed && (r.page.token == s.saved || s.looked.Sub(s.stored) < idle) {
		s.at.token, s.rest = r.page.token, min(2*s.rest+minRest, maxRest)
		return false, moved, nil
	}
	s.known, s.stored = false, s.looked // what follows may be a delivery
	if !r.page.nothing() {
		s.rest = 0
	}
	if err := store.step(ctx, s.Target, p, r.page); err != nil {
		return false, nil, err
	}
	if !r.page.last {
		return true, nil, nil
	}
	waiting, err := store.next(ctx, p, 1)
	return len(waiting) > 0, moved, err
}

const (
	// batch is the number of deliveries that are stored as accepted together, and batchTime the time
	// after which they are. After a crash they are sent again.
	batch     = 20
	batchTime = 200 * time.Millisecond
)

// deliver sends messages, one after the other, until one isn't accepted, and stores the outcome. It
// returns how long to wait if the target does not accept deliveries now.
func (s *subscription) deliver(ctx context.Context, p position, waiting []*delivery) (wait time.Duration, err error) {
	s.delivering.Lock()
	defer s.delivering.Unlock()
	if s.disabled.Load() {
		return idle, nil
	}
	if wait := s.retry.Sub(s.sender.cfg.Now()); wait > 0 {
		return min(wait, idle), nil // a message of another site was not accepted meanwhile
	}
	var accepted []int64
	defer func() {
		if len(accepted) > 0 { // also if ctx has ended
			err = errors.Join(err, s.sender.store.accepted(context.WithoutCancel(ctx), p, accepted))
		}
	}()
	begin := time.Now()
	for _, d := range waiting {
		ok, err := s.send(ctx, d)
		if err != nil || !ok {
			return 0, err
		}
		if accepted = append(accepted, d.seq); time.Since(begin) > batchTime {
			break
		}
	}
	return 0, nil
}

// send sends a message, and reports whether it was accepted. It stores the outcome if it wasn't. It is
// called while delivering is held.
func (s *subscription) send(ctx context.Context, d *delivery) (accepted bool, err error) {
	site, _, _ := s.site.now()
	if site.Name != "" {
		d.Site = &site
	}
	body, err := s.Format.body(&d.message, s.site.Source())
	if err != nil {
		return false, err
	}
	cfg := &s.sender.cfg
	begin := cfg.Now()
	r := s.sender.poster.post(ctx, s.Target, d.ID, begin, body)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	cfg.Observer.Delivery(r.name(), cfg.Now().Sub(begin))
	if r.accepted {
		s.failures, s.retry = 0, time.Time{}
		return true, nil
	}
	s.failures = max(s.failures, d.attempts) + 1
	wait, again := nextDelay(s.failures, r.asked)
	s.retry = cfg.Now().Add(wait)
	if err := s.sender.store.failed(ctx, d, s.failures, s.retry, r.err.Error()); err != nil {
		return false, err
	}
	if again && !r.gone {
		cfg.Logger.Info("a webhook was not accepted", "target", s.key, "attempt", s.failures, "again_in", wait.Round(time.Second).String(), "err", r.err)
		return false, nil
	}
	cfg.Logger.Error("a webhook target is disabled: enable it with `calbridge webhooks replay`", "target", s.Name, "err", r.err)
	s.failures, s.retry = 0, time.Time{}
	s.disabled.Store(true)
	return false, s.sender.store.disable(ctx, s.Name, r.err.Error())
}

// name returns the result for metrics.
func (r *result) name() string {
	var status statusError
	switch {
	case r.accepted:
		return ResultAccepted
	case errors.As(r.err, &status):
		return ResultRefused
	}
	return ResultFailed
}
