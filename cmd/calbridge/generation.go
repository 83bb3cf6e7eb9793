package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/metrics"
	"calbridge/rest/notice"
	"calbridge/rest/rollout"
	"calbridge/wpstore"
)

// generation is a site as one reading of the settings describes it: the database
// and the interface over it. A reload makes the next one.
type generation struct {
	store *wpstore.DB
	api   *rest.Server
	// companion tells WordPress of writes; nil where it is not installed.
	companion *notice.Client
	// keeper is nil where nothing is kept in memory.
	keeper *keeper
	// mayKeep is how many bytes may be kept.
	mayKeep uint64
	// rollout stands before the interface and WordPress; comparing is nil where
	// they are not compared.
	rollout   *rollout.Handler
	comparing *comparer
	users     sync.WaitGroup // requests under way
}

// openSite checks everything and opens the site that the settings describe.
func (c *configuration) openSite(ctx context.Context, logger *slog.Logger, m *metrics.Metrics) (*generation, error) {
	findings := c.settingsFindings()
	profile, err := c.loadProfile()
	if err != nil {
		return nil, err
	}
	companion, err := c.openCompanion(logger)
	if err != nil {
		return nil, err
	}
	ledger := c.newLedger()
	store, databaseFindings, err := c.openDatabase(ctx, logger, m, tell(companion), ledger)
	if err != nil {
		return nil, errors.Join(err, closeCompanion(companion))
	}
	if err := judge(logger, append(findings, databaseFindings...)); err != nil {
		return nil, errors.Join(err, store.Close(), closeCompanion(companion))
	}
	facts, err := store.SiteFacts(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the site's options: %w", err), store.Close(), closeCompanion(companion))
	}
	kind, _ := c.themeKind(facts.Template)
	kept := c.keep(c.chooseCache(ctx, store, logger), store, ledger, m, logger)
	g, err := c.newGeneration(store, kept, kind, firstOf(c.home, facts.Home), profile, logger, m)
	if err != nil {
		return nil, errors.Join(err, store.Close(), closeCompanion(companion))
	}
	g.companion = companion
	return g, nil
}

// newGeneration puts a site's interface over its database; home is the site's
// address. When it fails, nothing is kept any more, and the store is still open.
func (c *configuration) newGeneration(store *wpstore.DB, kept *keeper, themeKind, home string, profile *api.Profile, logger *slog.Logger, m *metrics.Metrics) (*generation, error) {
	unknown := &unknownNames{}
	cfg := c.restConfig(logger, c.themeFacts(themeKind), profile, func(o *api.Observation) {
		if !rollout.Observe(o) {
			return
		}
		m.Request(o)
		logRequest(logger, o)
		unknown.note(logger, o.NotRendered)
	})
	g := &generation{store: store, keeper: kept, mayKeep: uint64(cfg.RenderCache)}
	if kept != nil {
		kept.configure(&cfg, store, c.cacheSize)
		g.mayKeep = uint64(c.cacheSize)
	}
	g.api = rest.New(store, cfg)
	var err error
	if g.rollout, g.comparing, err = c.openRollout(g.api, home, logger, m, unknown); err != nil {
		kept.close()
		g.api.Close()
		return nil, err
	}
	m.WatchPools(store.Pools())
	m.WatchCache(g.sizes)
	return g, nil
}

// sizes are those of what the generation keeps.
func (g *generation) sizes() metrics.CacheSizes {
	var s metrics.CacheSizes
	s.Answers, s.AnswerBytes, s.Evicted = g.api.Kept()
	s.RowBytes, s.RenderedBytes = g.store.RememberedBytes(), g.api.RenderedBytes()
	if g.keeper != nil && g.keeper.listing != nil {
		s.Events = g.keeper.listing.Rows()
	}
	return s
}

// close lets the requests under way finish and closes the site.
func (g *generation) close() error {
	g.users.Wait()
	g.rollout.Close() // before what its comparisons ask
	g.keeper.close()
	g.api.Close()
	return errors.Join(g.comparing.close(), closeCompanion(g.companion), g.store.Close())
}

// liveSite answers with the latest generation.
type liveSite struct {
	mu      sync.RWMutex
	current *generation
}

// enter returns the generation to use; its users.Done ends the use.
func (s *liveSite) enter() *generation {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.current.users.Add(1)
	return s.current
}

// replace lets next answer from now on and returns what answered until now.
func (s *liveSite) replace(next *generation) *generation {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.current
	s.current = next
	return last
}

// ServeHTTP implements http.Handler.
func (s *liveSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g := s.enter()
	defer g.users.Done()
	g.rollout.ServeHTTP(w, r)
}

// kept is how many bytes are kept in memory, and how many may be.
func (s *liveSite) kept() (bytes, mayKeep uint64) {
	g := s.enter()
	defer g.users.Done()
	return g.sizes().Bytes(), g.mayKeep
}

// ask reads the site's facts, to see whether requests can be answered.
func (s *liveSite) ask(ctx context.Context) error {
	g := s.enter()
	defer g.users.Done()
	_, err := g.store.SiteFacts(ctx)
	return err
}
