package edit

import (
	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
	"calbridge/wpstore/sitedb"
	"context"
)

// Config has the settings of wp-config.php for writes.
type Config struct {
	// NoTrash reports that EMPTY_TRASH_DAYS is 0: DELETE removes events, and the reference's
	// response fails.
	NoTrash bool
	// Revisions is the maximum number of revisions of a post (WP_POST_REVISIONS): 0 means
	// unlimited, a negative number none.
	Revisions int
}

// Handler answers a request that writes, and that has passed all checks. It writes through the
// session from whose stores the request reads.
type Handler func(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error)

// Handlers returns the handlers of all operations that write. shared renders their responses.
func Handlers(shared *render.Shared, cfg Config) map[wprest.Operation]Handler {
	e := events{render: shared, revisions: cfg.Revisions, noTrash: cfg.NoTrash}
	h := map[wprest.Operation]Handler{
		tribev1.Create.Of(tribev1.Collection(api.Events)): e.create,
		tribev1.Update.Of(tribev1.Collection(api.Events)): e.update,
		tribev1.Delete.Of(tribev1.Collection(api.Events)): e.delete,
	}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		l := linked{kind: kind, revisions: cfg.Revisions, render: shared}
		h[tribev1.Create.Of(tribev1.Collection(kind))] = l.create
		h[tribev1.Update.Of(tribev1.Collection(kind))] = l.update
		h[tribev1.Delete.Of(tribev1.Collection(kind))] = l.delete
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		t := terms{tax: tax, revisions: cfg.Revisions, render: shared}
		h[tribev1.Create.Of(tribev1.TermCollection(tax))] = t.create
		h[tribev1.Update.Of(tribev1.TermCollection(tax))] = t.update
		h[tribev1.Delete.Of(tribev1.TermCollection(tax))] = t.delete
	}
	return h
}
