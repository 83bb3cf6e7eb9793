package webhook

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"calbridge/rest/metrics"
	"calbridge/wpstore/guard"
)

// Calendar is the list of events, as anonymous visitors see it. Its methods are safe for concurrent use.
type Calendar interface {
	// Changes returns status and body of the response of events/changes to a query.
	Changes(ctx context.Context, query string) (status int, body []byte, err error)
	// Moved returns a channel that is closed when something has changed after the call. It is nil if that
	// can't be known.
	Moved() <-chan struct{}
	// Source is the address of the calendar's API.
	Source() string
}

// Results of an attempt to deliver, for metrics.
const (
	ResultAccepted = "accepted"
	ResultRefused  = "refused" // another status than 2xx
	ResultFailed   = "failed"  // no response
)

// Results returns all results.
func Results() []string { return []string{ResultAccepted, ResultRefused, ResultFailed} }

// Observer counts deliveries. Its methods are safe for concurrent use.
type Observer interface {
	Delivery(result string, took time.Duration)
	// Watch reads figures at each scrape. A later call replaces the function; nil ends it.
	Watch(func() metrics.WebhookFigures)
}

// Config configures a Sender.
type Config struct {
	Targets  []Target
	Dir      string // of what survives a restart
	Calendar Calendar
	Agent    string        // User-Agent
	Timeout  time.Duration // of a delivery; see [Timeout]
	Observer Observer
	Now      func() time.Time
	Logger   *slog.Logger
	Guard    *guard.Guard
}

const (
	// idle is the longest time between two looks at a list, which may change by time alone.
	idle = time.Minute
	// figuresTimeout bounds reading the figures.
	figuresTimeout = 5 * time.Second
)

// Sender tells targets what has changed.
type Sender struct {
	cfg     Config
	store   *store
	poster  *poster
	lists   *lists
	targets []*target
	running sync.WaitGroup
	cancel  context.CancelFunc
}

// Start begins to tell targets what has changed, until Close. Targets that aren't in the list any more are
// forgotten.
func Start(ctx context.Context, cfg Config) (*Sender, error) {
	st, err := openStore(ctx, cfg.Dir, cfg.Now)
	if err != nil {
		return nil, err
	}
	s := &Sender{cfg: cfg, store: st, poster: newPoster(cfg.Agent, cfg.Timeout), lists: newLists(cfg.Calendar, cfg.Now)}
	names := make([]string, len(cfg.Targets))
	for i := range cfg.Targets {
		names[i] = cfg.Targets[i].Name
		s.targets = append(s.targets, &target{sender: s, Target: &cfg.Targets[i], wake: make(chan struct{}, 1)})
	}
	if err := errors.Join(st.forget(ctx, names), st.add(ctx, names)); err != nil {
		return nil, errors.Join(err, st.close())
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	for _, t := range s.targets {
		cfg.Guard.Loop(running, &s.running, "webhooks", t.run)
	}
	cfg.Observer.Watch(func() metrics.WebhookFigures { return s.figures(running) })
	return s, nil
}

// Close ends deliveries. One that is under way is broken off, and sent again by the next Sender.
func (s *Sender) Close() error {
	s.cfg.Observer.Watch(nil)
	s.cancel()
	s.running.Wait()
	return s.store.close()
}

// Statuses returns those of all targets, in the order of their names.
func (s *Sender) Statuses(ctx context.Context) ([]Status, error) {
	known, err := s.store.statuses(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]Status, 0, len(s.targets))
	for _, t := range s.targets {
		one := known[t.Name]
		one.Name, one.URL = t.Name, t.URL
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Status) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// figures returns the sum of all targets.
func (s *Sender) figures(ctx context.Context) metrics.WebhookFigures {
	ctx, cancel := context.WithTimeout(ctx, figuresTimeout)
	defer cancel()
	f := metrics.WebhookFigures{Targets: int64(len(s.targets))}
	all, err := s.Statuses(ctx)
	if err != nil {
		return f
	}
	for _, one := range all {
		f.Pending += one.Pending
		if !one.Disabled.IsZero() {
			f.Disabled++
		} else if !one.Oldest.IsZero() && (f.Oldest.IsZero() || one.Oldest.Before(f.Oldest)) {
			f.Oldest = one.Oldest
		}
	}
	return f
}

// Replay tells a target of all events of its list again, and enables it.
func (s *Sender) Replay(ctx context.Context, name string) error {
	i := slices.IndexFunc(s.targets, func(t *target) bool { return t.Name == name })
	if i < 0 {
		return ErrUnknownTarget
	}
	if err := s.store.replay(ctx, name); err != nil {
		return err
	}
	select {
	case s.targets[i].wake <- struct{}{}:
	default:
	}
	return nil
}

// Test sends one message of the type webhook.test to a target, and returns why it wasn't accepted.
func Test(ctx context.Context, t *Target, agent, source string, now time.Time) error {
	m := &message{ID: newID(), Kind: "webhook.test", At: now, Data: []byte(`{"id":0}`)}
	body, err := t.Format.body(m, source)
	if err != nil {
		return err
	}
	return newPoster(agent, Timeout).post(ctx, t, m.ID, now, body).err
}
