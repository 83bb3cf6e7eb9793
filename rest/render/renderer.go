package render

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"calbridge/rest/access"
	"calbridge/rest/api"
	"calbridge/rest/fields"
	"calbridge/rest/phpjson"
	"calbridge/rest/render/loader"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/tickets"
)

// Renderer renders one answer: it reads the posts that the answer shows, and writes them
// in the answer's order. It is not safe for concurrent use.
type Renderer struct {
	shared *Shared
	place  *wpsite.Place
	viewer *access.Viewer
	clock  *api.Clock
	loader *loader.Loader
	sets   []*Set // that were loaded
	// tickets reads what Event Tickets adds.
	tickets *tickets.Store
	// Fields are those that the request asks for; what is not among them may be wrong.
	Fields fields.Set
}

// NewWriter returns a writer for the JSON of the answer.
func (r *Renderer) NewWriter() *phpjson.Writer { return r.shared.buffers.Writer() }

// Response is the answer in w, with what rendering learned about it.
func (r *Renderer) Response(w *phpjson.Writer) *api.Response {
	res := &api.Response{Body: w.Bytes(), Buffer: w}
	for _, set := range r.sets {
		res.Modified = max(res.Modified, set.rows.Modified)
		res.CookieMatters = res.CookieMatters || set.ld.CookieMatters
		res.NotRendered = slices.AppendSeq(res.NotRendered, maps.Keys(set.texts.state.Unknown()))
	}
	return res
}

// LoadEvents reads events with all that they refer to. Errors are those of the store, and
// what check, which may be nil, has against an event: it is called before anything is read
// that the event refers to, with nil for a missing one.
func (r *Renderer) LoadEvents(ctx context.Context, ids []int64, check func(*wpstore.Post) error) (*Set, error) {
	return r.loadEvents(ctx, ids, loader.Steps{Check: check})
}

func (r *Renderer) loadEvents(ctx context.Context, ids []int64, steps loader.Steps) (*Set, error) {
	rows, err := r.loader.Events(ctx, ids, steps)
	if err != nil {
		return nil, err
	}
	set := r.newSet(rows)
	set.tickets, err = r.loadTickets(ctx, ids)
	return set, err
}

// LoadLinked reads venues or organizers with all that they refer to. Errors and check are
// those of LoadEvents.
func (r *Renderer) LoadLinked(ctx context.Context, ids []int64, check func(*wpstore.Post) error) (*Set, error) {
	rows, err := r.loader.Posts(ctx, ids, check)
	if err != nil {
		return nil, err
	}
	return r.newSet(rows), nil
}

// Linked writes a venue or an organizer of the set. single adds the structured data. The
// fields of one that a password protects are blank, unless the site ignores passwords there.
func (r *Renderer) Linked(w *phpjson.Writer, set *Set, kind *api.PostKind, p *wpstore.Post, single bool) {
	r.writeLinkedPost(w, set, kind, p, single, set.locksLink(p) && r.viewer.Locked(p))
}

// WrittenEvent is the answer to a write of an event: what lists show of it, without regard to
// its password. It probably refers to posts. shown may be nil.
func (r *Renderer) WrittenEvent(ctx context.Context, id int64, posts []int64, shown *Override) (*api.Response, error) {
	var amend func(wpstore.PostSet)
	if shown != nil {
		amend = shown.amend
	}
	set, err := r.loadEvents(ctx, []int64{id}, loader.Steps{Amend: amend, With: posts})
	if err != nil {
		return nil, err
	}
	p := set.Post(id)
	if p == nil { // deleted by another request
		return nil, api.Fail("rest-event-not-found", "id", strconv.FormatInt(id, 10))
	}
	w := r.NewWriter()
	r.writeEvent(w, set, p, false, false)
	return r.Response(w), nil
}

// WrittenLinked is the answer to a write of a venue or an organizer.
func (r *Renderer) WrittenLinked(ctx context.Context, kind *api.PostKind, id int64) (*api.Response, error) {
	set, err := r.LoadLinked(ctx, []int64{id}, nil)
	if err != nil {
		return nil, err
	}
	p := set.Post(id)
	if p == nil { // deleted by another request
		return nil, api.Fail(kind.Singular + "-not-accessible")
	}
	w := r.NewWriter()
	r.writeLinkedPost(w, set, kind, p, false, false)
	return r.Response(w), nil
}
