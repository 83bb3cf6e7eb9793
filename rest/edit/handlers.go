package edit

import (
	"calbridge/rest/api"
	"calbridge/rest/render"
	"calbridge/rest/routes"
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

// Handlers returns the handlers of all operations that write. shared renders their responses.
func Handlers(shared *render.Shared, cfg Config) routes.Handlers {
	e := events{render: shared, revisions: cfg.Revisions, noTrash: cfg.NoTrash}
	h := routes.Handlers{
		routes.Create.Of(api.Events.Collection): e.create,
		routes.Update.Of(api.Events.Collection): e.update,
		routes.Delete.Of(api.Events.Collection): e.delete,
	}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		l := linked{kind: kind, revisions: cfg.Revisions, render: shared}
		h[routes.Create.Of(kind.Collection)] = l.create
		h[routes.Update.Of(kind.Collection)] = l.update
		h[routes.Delete.Of(kind.Collection)] = l.delete
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		t := terms{tax: tax, revisions: cfg.Revisions, render: shared}
		h[routes.Create.Of(tax.Collection)] = t.create
		h[routes.Update.Of(tax.Collection)] = t.update
		h[routes.Delete.Of(tax.Collection)] = t.delete
	}
	return h
}
