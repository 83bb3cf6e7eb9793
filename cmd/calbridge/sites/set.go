package sites

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"calbridge/cmd/calbridge/site"
	"calbridge/rest/api"
	"calbridge/rest/metrics"
	"calbridge/rest/rollout"
	"calbridge/rest/union"
	"calbridge/wpstore/guard"
)

// Config configures a Set.
type Config struct {
	Source Source
	// Elsewhere answers what no site answers, and for sites that can't be served: WordPress. It may be
	// nil.
	Elsewhere *rollout.Handler
	// Measured is the number of sites with metrics of their own.
	Measured int
	Metrics  *metrics.Metrics
	Logger   *slog.Logger
	Now      func() time.Time
}

// Set serves several sites. It is safe for concurrent use.
type Set struct {
	Config
	guard  *guard.Guard
	words  *api.Wording // of responses that no site gives
	shared *connections
	// loaded is the most sites that are in memory at a time, unless all have requests in flight.
	loaded atomic.Int64
	// opened is ready to receive when a site has been opened since the last look for too many.
	opened chan struct{}
	// streamed are the calendars over all sites that are being streamed.
	streamed *union.Sources
	stop     context.CancelFunc
	work     sync.WaitGroup
	// processors shares the processors among the sites.
	processors processors

	mu       sync.Mutex
	entries  map[string]*entry           // by the name of the site
	measured map[string]*metrics.Metrics // of sites that have their own
}

// start serves the sites of a source over shared connections, with at most loaded in memory. Close closes
// all.
func start(c Config, shared *connections, loaded int) *Set {
	s := &Set{
		Config: c, shared: shared, words: api.NewWording(nil, "en", nil), entries: map[string]*entry{}, measured: map[string]*metrics.Metrics{}, opened: make(chan struct{}, 1),
		processors: processors{number: runtime.GOMAXPROCS(0)},
		guard:      guard.New(c.Logger, func(string) { c.Metrics.Process.Panicked() }),
	}
	s.streamed = union.NewSources(s.guard)
	s.loaded.Store(int64(loaded))
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.guard.Loop(ctx, &s.work, "unloading idle sites", s.unloadIdle)
	s.guard.Loop(ctx, &s.work, "following the list of sites", func(ctx context.Context) { s.follow(ctx, s.apply) })
	s.guard.Loop(ctx, &s.work, "opening the sites that are always in memory", func(ctx context.Context) { s.follow(ctx, s.openKept) })
	return s
}

// entry returns the entry of a site.
func (s *Set) entry(of *Site) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[of.Name]
	if e == nil {
		e = &entry{set: s, site: of, turns: turns{of: &s.processors}}
		s.entries[of.Name] = e
	}
	e.revive(of)
	return e
}

// all returns all entries.
func (s *Set) all() []*entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*entry, 0, len(s.entries))
	for _, e := range s.entries {
		all = append(all, e)
	}
	return all
}

// ServeHTTP implements http.Handler.
func (s *Set) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, _ := api.SplitTarget(r.RequestURI)
	match := s.Source.Find(r.Host, path)
	switch {
	case match.Site != nil:
		s.serve(w, r, match.Site, path)
	case match.Redirect != "": // as WordPress does before it loads a theme
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
		w.Header().Set("Location", match.Redirect)
		w.WriteHeader(http.StatusFound)
	case s.Elsewhere != nil:
		s.Elsewhere.ServeHTTP(w, r)
	default:
		site.Refuse(w, s.words, "rest_no_route")
	}
}

// serve passes a request on to its site, or answers it if its path is one of the calendar over all sites.
func (s *Set) serve(w http.ResponseWriter, r *http.Request, of *Site, path string) {
	e, began := s.entry(of), time.Now()
	end, err := e.turns.take(r.Context())
	if err != nil { // the client has left
		return
	}
	defer end()
	if union := s.unionOf(of, path); union != nil {
		union(w, r)
		return
	}
	live, err := e.enter(r.Context())
	switch {
	case err == nil:
		defer e.leave()
		live.ServeHTTP(w, r)
	case errors.Is(err, context.Canceled):
	default:
		if s.Elsewhere == nil {
			e.traffic.Count(http.StatusServiceUnavailable, time.Since(began), false, false)
		}
		s.unavailable(w, r)
	}
}

// unavailable answers for a site that can't be served: WordPress does, or nobody.
func (s *Set) unavailable(w http.ResponseWriter, r *http.Request) {
	if s.Elsewhere != nil {
		s.Elsewhere.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Retry-After", "5")
	site.Refuse(w, s.words, "calbridge_unavailable")
}

// follow calls do now and after each change of the list of sites.
func (s *Set) follow(ctx context.Context, do func(context.Context)) {
	for {
		moved := s.Source.Moved()
		do(ctx)
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}

// renewed limits how many sites are reopened at a time. One whose tables are locked takes long.
const renewed = 8

// apply gives the entries the sites of the source, reopens those with other settings, and closes those
// that are gone.
func (s *Set) apply(ctx context.Context) {
	var renewing errgroup.Group
	renewing.SetLimit(renewed)
	current := map[string]*Site{}
	for _, of := range s.Source.All() {
		current[of.Name] = of
	}
	for _, e := range s.all() {
		of := e.of()
		next := current[of.name()]
		if next == nil {
			_, err := e.unload(true)
			s.logClosing(err)
			continue
		}
		if !e.use(next) {
			continue
		}
		live, ok := e.hold()
		if !ok {
			continue
		}
		s.guard.GoErr(&renewing, "reopening a site with other settings", func() error {
			defer e.release()
			if err := e.renew(ctx, live); err != nil {
				s.Logger.Error("a site could not be reopened: its previous settings stay in force", "site", next.Name, "err", err)
			}
			return nil
		})
	}
	_ = renewing.Wait() // errors are logged
	s.forget()
}

// forget drops the entries of sites that are gone, once their last request has ended.
func (s *Set) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, e := range s.entries {
		if live, _, _ := e.state(); live == nil && e.of() == nil {
			delete(s.entries, name)
		}
	}
}

// logClosing logs the error of a site that was closed.
func (s *Set) logClosing(err error) {
	if err != nil {
		s.Logger.Warn("closing a site", "err", err)
	}
}

// main returns the entry of the main site, opened.
func (s *Set) main(ctx context.Context) (*entry, *site.Live, error) {
	e := s.entry(s.Source.All()[0])
	live, err := e.enter(ctx)
	return e, live, err
}

// metricsOf returns the metrics of a site: its own if it is among the first that were opened, else those of
// all others.
func (s *Set) metricsOf(of *Site) *metrics.Metrics {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.measured[of.Name]; own != nil {
		return own
	}
	if len(s.measured) >= s.Measured {
		return s.Metrics
	}
	own := s.Metrics.Site(of.Name)
	s.measured[of.Name] = own
	return own
}
