package rest

import (
	"maps"
	"slices"
	"sync"

	"calbridge/rest/edit"
	"calbridge/rest/read"
	"calbridge/rest/render"
	"calbridge/rest/routes"
)

// newHandlers are the handlers of all operations.
func newHandlers(shared *render.Shared, cfg *Config) routes.Handlers {
	h := read.Handlers(shared)
	maps.Copy(h, edit.Handlers(shared, cfg.Writing.Config))
	return h
}

// tables keeps the route table for the languages of a site, so that reading the
// site's options anew does not make it again.
type tables struct {
	handlers routes.Handlers
	param    string // name of the language parameter

	mu      sync.Mutex
	offered []string // that the table was made for
	table   *routes.Table
}

// of returns the routes with the languages that the parameter accepts.
func (t *tables) of(offered []string) *routes.Table {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.table == nil || !slices.Equal(t.offered, offered) {
		t.table, t.offered = routes.NewTable(t.handlers, t.param, offered), offered
	}
	return t.table
}
