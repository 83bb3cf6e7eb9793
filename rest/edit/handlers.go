package edit

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/render"
	"calbridge/rest/routes"
	"calbridge/wpstore"
)

// Config is what wp-config.php says about writes.
type Config struct {
	// NoTrash says that EMPTY_TRASH_DAYS is 0: deleted events are gone for good, over
	// which the reference's answer fails.
	NoTrash bool
	// Revisions is how many revisions of a post are kept (WP_POST_REVISIONS): 0 all,
	// less than 0 none.
	Revisions int
}

// Answers renders what a write has left behind.
type Answers interface {
	// WrittenEvent shows an event, unlocked and in the form of lists; shown is what it
	// shows instead of what is stored, nil for nothing.
	WrittenEvent(ctx context.Context, r *routes.Request, id int64, shown *render.Override) (*api.Response, error)
	// WrittenLinked shows a venue or an organizer in the same way.
	WrittenLinked(ctx context.Context, r *routes.Request, kind *api.PostKind, id int64) (*api.Response, error)
	// Term shows a category or tag, with WordPress's own links or without.
	Term(ctx context.Context, r *routes.Request, tax *api.TaxonomyKind, t wpstore.Term, links bool) (*api.Response, error)
}

// Handlers are those of all operations that write.
func Handlers(answers Answers, cfg Config) routes.Handlers {
	e := events{cfg: cfg, answers: answers}
	h := routes.Handlers{
		routes.Create.Of(api.Events.Collection): e.create,
		routes.Update.Of(api.Events.Collection): e.update,
		routes.Delete.Of(api.Events.Collection): e.delete,
	}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		l := linked{kind: kind, revisions: cfg.Revisions, answers: answers}
		h[routes.Create.Of(kind.Collection)] = l.create
		h[routes.Update.Of(kind.Collection)] = l.update
		h[routes.Delete.Of(kind.Collection)] = l.delete
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		t := terms{tax: tax, revisions: cfg.Revisions, answers: answers}
		h[routes.Create.Of(tax.Collection)] = t.create
		h[routes.Update.Of(tax.Collection)] = t.update
		h[routes.Delete.Of(tax.Collection)] = t.delete
	}
	return h
}
