package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"calbridge/rest"
	"calbridge/rest/metrics"
	"calbridge/wpstore"
)

// generation is a site as one reading of the settings describes it: the database
// and the interface over it. A reload makes the next one.
type generation struct {
	store *wpstore.DB
	api   *rest.Server
	users sync.WaitGroup // requests under way
}

// openSite checks everything and opens the site that the settings describe.
func (c *configuration) openSite(ctx context.Context, logger *slog.Logger, m *metrics.Metrics) (*generation, error) {
	findings := c.settingsFindings()
	profile, err := c.loadProfile()
	if err != nil {
		return nil, err
	}
	store, databaseFindings, err := c.openDatabase(ctx, logger, m.Query)
	if err != nil {
		return nil, err
	}
	if err := judge(logger, append(findings, databaseFindings...)); err != nil {
		store.Close()
		return nil, err
	}
	facts, err := store.SiteFacts(ctx)
	if err != nil {
		store.Close()
		return nil, fmt.Errorf("read the site's options: %w", err)
	}
	kind, _ := c.themeKind(facts.Template)
	return c.newGeneration(store, kind, profile, logger, m), nil
}

func (c *configuration) newGeneration(store *wpstore.DB, themeKind string, profile *rest.Profile, logger *slog.Logger, m *metrics.Metrics) *generation {
	m.WatchPool(store.SQL(), "wordpress")
	return &generation{store: store, api: rest.New(store, c.restConfig(logger, c.themeFacts(themeKind), profile, func(o *rest.Observation) {
		m.Request(o)
		logRequest(logger, o)
	}))}
}

// close lets the requests under way finish and closes the site.
func (g *generation) close() error {
	g.users.Wait()
	g.api.Close()
	return g.store.Close()
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
	g.api.ServeHTTP(w, r)
}

// ask reads the site's facts, to see whether requests can be answered.
func (s *liveSite) ask(ctx context.Context) error {
	g := s.enter()
	defer g.users.Done()
	_, err := g.store.SiteFacts(ctx)
	return err
}
