package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// target is a target at work. One goroutine has it.
type target struct {
	*Target
	sender *Sender
	wake   chan struct{} // after a replay

	// at is the position while known is set: nothing waits to be delivered, and nothing was stored since.
	// Only its token may be newer than the saved one, which was read at stored.
	at     position
	known  bool
	saved  string
	stored time.Time
	// looked is when the list was read last, and rest the least time between two readings: it grows while
	// others' events change all the time.
	looked time.Time
	rest   time.Duration
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
func (t *target) run(ctx context.Context) {
	for ctx.Err() == nil {
		wait, moved, err := t.turn(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return
			}
			t.sender.cfg.Logger.Warn("webhooks wait", "target", t.Name, "err", err)
			wait, moved = troubleDelay, nil
		}
		if wait <= 0 {
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-moved:
			t.pause(ctx)
		case <-t.wake:
			t.known = false
		}
		timer.Stop()
	}
}

// pause waits until a target that was not concerned by the last changes may look again.
func (t *target) pause(ctx context.Context) {
	timer := time.NewTimer(t.rest - t.sender.cfg.Now().Sub(t.looked))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-t.wake:
		t.known = false
	}
}

// turn delivers one message, or reads one page if there is none. It returns how long to wait before the
// next turn, and a channel that ends the wait.
func (t *target) turn(ctx context.Context) (wait time.Duration, moved <-chan struct{}, err error) {
	s := t.sender
	if !t.known {
		p, err := s.store.position(ctx, t.Name)
		if err != nil {
			return 0, nil, err
		}
		if !p.disabled.IsZero() {
			return idle, nil, nil
		}
		waiting, err := s.store.next(ctx, p, batch)
		if err != nil {
			return 0, nil, err
		}
		if len(waiting) > 0 {
			if wait := waiting[0].due.Sub(s.cfg.Now()); wait > 0 {
				return min(wait, idle), nil, nil
			}
			return 0, nil, t.deliver(ctx, p, waiting)
		}
		t.at, t.known, t.saved = p, true, p.token
	}
	more, moved, err := t.read(ctx)
	switch {
	case err != nil || more:
		return 0, nil, err
	case t.at.listing == reading:
		return lag, nil, nil
	}
	return idle, moved, nil
}

// read reads a page. It reports whether there is something to do at once, and returns a channel that is closed
// when something has changed since.
func (t *target) read(ctx context.Context) (more bool, moved <-chan struct{}, err error) {
	s, p := t.sender, t.at
	t.looked = s.cfg.Now()
	var query []string
	for _, part := range []string{t.Filters, pageSize, p.token} {
		if part != "" {
			query = append(query, part)
		}
	}
	r, moved := s.lists.read(ctx, strings.Join(query, "&"))
	switch {
	case r.err != nil:
		return false, nil, r.err
	case r.status == http.StatusGone && p.token != "":
		t.known = false
		return true, nil, s.store.restart(ctx, p)
	case r.status != http.StatusOK:
		return false, nil, fmt.Errorf("the list of events can't be read: status %d, %.300s", r.status, r.body)
	}
	if r.page.nothing() && p.listing == listed && (r.page.token == t.saved || t.looked.Sub(t.stored) < idle) {
		t.at.token, t.rest = r.page.token, min(2*t.rest+minRest, maxRest)
		return false, moved, nil
	}
	t.known, t.stored = false, t.looked // what follows may be a delivery
	if !r.page.nothing() {
		t.rest = 0
	}
	if err := s.store.step(ctx, t.Target, p, r.page); err != nil {
		return false, nil, err
	}
	if !r.page.last {
		return true, nil, nil
	}
	waiting, err := s.store.next(ctx, p, 1)
	return len(waiting) > 0, moved, err
}

const (
	// batch is the number of deliveries that are stored as accepted together, and batchTime the time
	// after which they are. After a crash they are sent again.
	batch     = 20
	batchTime = 200 * time.Millisecond
)

// deliver sends messages, one after the other, until one isn't accepted, and stores the outcome.
func (t *target) deliver(ctx context.Context, p position, waiting []*delivery) (err error) {
	var accepted []int64
	defer func() {
		if len(accepted) > 0 { // also if ctx has ended
			err = errors.Join(err, t.sender.store.accepted(context.WithoutCancel(ctx), p, accepted))
		}
	}()
	begin := time.Now()
	for _, d := range waiting {
		ok, err := t.send(ctx, p, d)
		if err != nil || !ok {
			return err
		}
		if accepted = append(accepted, d.seq); time.Since(begin) > batchTime {
			break
		}
	}
	return nil
}

// send sends a message, and reports whether it was accepted. It stores the outcome if it wasn't.
func (t *target) send(ctx context.Context, p position, d *delivery) (accepted bool, err error) {
	s := t.sender
	body, err := t.Format.body(&d.message, s.cfg.Calendar.Source())
	if err != nil {
		return false, err
	}
	begin := s.cfg.Now()
	r := s.poster.post(ctx, t.Target, d.ID, begin, body)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	s.cfg.Observer.Delivery(r.name(), s.cfg.Now().Sub(begin))
	if r.accepted {
		return true, nil
	}
	wait, again := nextDelay(d.attempts+1, r.asked)
	if err := s.store.failed(ctx, d, s.cfg.Now().Add(wait), r.err.Error()); err != nil {
		return false, err
	}
	if again && !r.gone {
		s.cfg.Logger.Info("a webhook was not accepted", "target", t.Name, "attempt", d.attempts+1, "again_in", wait.Round(time.Second).String(), "err", r.err)
		return false, nil
	}
	s.cfg.Logger.Error("a webhook target is disabled: enable it with `calbridge webhooks replay`", "target", t.Name, "err", r.err)
	return false, s.store.disable(ctx, p, r.err.Error())
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
