package webhook

import (
	"context"
	"errors"
	"fmt"
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
	Targets []Target
	Dir     string // of what survives a restart
	// Sites returns the sites whose changes targets are told of, and a channel that is closed when they
	// are others. The channel is nil if they never are.
	Sites    func() (sites []Site, changed <-chan struct{})
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
	// maxSubscriptions bounds the number of pairs of a target and a site.
	maxSubscriptions = 100_000
)

// Sender tells targets what has changed.
type Sender struct {
	cfg     Config
	store   *store
	poster  *poster
	reading chan struct{} // see lists
	targets []*target
	running sync.WaitGroup
	cancel  context.CancelFunc

	// sites are by name. Only Start and the goroutine of follow use them.
	sites map[string]*site

	mu            sync.Mutex
	subscriptions map[string]*subscription // by key
}

// site is a site with its lists.
type site struct {
	*served
	lists *lists
}

// Start begins to tell targets what has changed, until Close. Targets that aren't in the list any more are
// forgotten, and so are sites that a target doesn't want any more.
func Start(ctx context.Context, cfg Config) (*Sender, error) {
	st, err := openStore(ctx, cfg.Dir, cfg.Now)
	if err != nil {
		return nil, err
	}
	s := &Sender{cfg: cfg, store: st, poster: newPoster(cfg.Agent, cfg.Timeout), reading: make(chan struct{}, readers), sites: map[string]*site{}, subscriptions: map[string]*subscription{}}
	for i := range cfg.Targets {
		s.targets = append(s.targets, &target{sender: s, Target: &cfg.Targets[i]})
	}
	sites, changed := cfg.Sites()
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	if err := s.begin(ctx, running, sites); err != nil {
		cancel()
		s.running.Wait()
		return nil, errors.Join(err, st.close())
	}
	if changed != nil {
		cfg.Guard.Loop(running, &s.running, "following the sites of webhooks", s.follow)
	}
	cfg.Observer.Watch(func() metrics.WebhookFigures { return s.figures(running) })
	return s, nil
}

// begin forgets what is not wanted any more, and begins with the sites. Those of which a target was told
// before, and that aren't served any more, are away.
func (s *Sender) begin(ctx, running context.Context, sites []Site) error {
	several := len(sites) != 1 || sites[0].Name != ""
	keys, err := s.store.forget(ctx, func(key string) bool {
		name, site := parseKey(key)
		return (site != "") == several && slices.ContainsFunc(s.targets, func(t *target) bool { return t.Name == name && t.wantsSite(site) })
	})
	if err != nil {
		return err
	}
	for _, t := range s.targets {
		for _, name := range t.Sites {
			if !slices.ContainsFunc(sites, func(of Site) bool { return of.Name == name }) {
				s.cfg.Logger.Warn("a target of webhooks names a site that is not served now", "target", t.Name, "site", name)
			}
		}
	}
	for _, key := range keys {
		if _, name := parseKey(key); s.sites[name] == nil {
			s.addSite(Site{Name: name}).set(nil)
		}
	}
	return s.use(ctx, running, sites)
}

// addSite adds a site that no target was told of yet.
func (s *Sender) addSite(of Site) *site {
	added := &site{served: newServed(of)}
	added.lists = newLists(added, s.cfg.Now, s.reading)
	s.sites[of.Name] = added
	return added
}

// follow follows the sites.
func (s *Sender) follow(ctx context.Context) {
	for {
		sites, changed := s.cfg.Sites()
		if err := s.use(ctx, ctx, sites); err != nil && ctx.Err() == nil {
			s.cfg.Logger.Warn("targets of webhooks are not told of new sites", "err", err)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// use makes sites those whose changes targets are told of, until running ends.
func (s *Sender) use(ctx, running context.Context, sites []Site) error {
	current := map[string]*Site{}
	for i := range sites {
		of := &sites[i]
		current[of.Name] = of
		if s.sites[of.Name] == nil {
			s.addSite(*of)
		}
	}
	for name, of := range s.sites {
		of.set(current[name])
	}
	var added []*subscription
	var keys []string
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.targets {
		for name, of := range s.sites {
			key := keyOf(t.Name, name)
			if s.subscriptions[key] != nil || !t.wantsSite(name) {
				continue
			}
			if len(s.subscriptions)+len(added) >= maxSubscriptions {
				return fmt.Errorf("%d targets and %d sites are too many: name the sites that each target wants", len(s.targets), len(s.sites))
			}
			added = append(added, &subscription{target: t, key: key, site: of.served, lists: of.lists, wake: make(chan struct{}, 1)})
			keys = append(keys, key)
		}
	}
	if err := s.store.add(ctx, keys); err != nil {
		return err
	}
	for _, one := range added {
		s.subscriptions[one.key] = one
		s.cfg.Guard.Loop(running, &s.running, "webhooks", one.run)
	}
	return nil
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
		one := Status{Name: t.Name, URL: t.URL}
		for _, of := range known[t.Name] {
			one.add(of)
		}
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
	s.targets[i].disabled.Store(false)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.subscriptions {
		if one.target != s.targets[i] {
			continue
		}
		select {
		case one.wake <- struct{}{}:
		default:
		}
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
