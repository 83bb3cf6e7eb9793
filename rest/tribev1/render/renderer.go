package render

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/calendar"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
)

// Renderer renders one response: it reads the posts that the response shows, and writes them
// in the response's order. It is not safe for concurrent use.
type Renderer struct {
	// namespace is that of the API.
	namespace string
	events    *eventCache // nil where nothing is cached
	buffers   *phpjson.Buffers
	place     *wpsite.Place
	viewer    *authz.Viewer
	clock     *api.Clock
	loader    *loader.Loader
	// around is the validity of what surrounds the objects of the response. The clock has that of the
	// objects.
	around api.Validity
	sets   []*Set // that were loaded
	// tickets reads what Event Tickets adds.
	tickets calendar.TicketStore
	// Fields are those that the request asks for; what is not among them may be wrong.
	Fields api.Set
}

// NewWriter returns a writer for the JSON of the response.
func (r *Renderer) NewWriter() *phpjson.Writer { return r.buffers.Writer() }

// Result returns the result in w, with what rendering found out about it.
func (r *Renderer) Result(w *phpjson.Writer) *api.Result {
	return &api.Result{Body: w.Bytes(), Buffer: w, Rendering: r.rendering()}
}

// rendering returns what rendering found out about the result.
func (r *Renderer) rendering() (l api.Rendering) {
	l.Objects = api.Validity{Timely: r.clock.Asked, Until: r.clock.Until}
	r.clock.Join(r.around)
	for _, set := range r.sets {
		l.Modified = max(l.Modified, set.rows.Modified)
		l.CookieMatters = l.CookieMatters || set.ld.CookieMatters
		l.NotRendered = slices.AppendSeq(l.NotRendered, maps.Keys(set.texts.state.Unknown()))
	}
	return l
}

// LoadEvents reads events with everything they refer to. It returns errors of the store and of
// check, which may be nil. check is called with each event, nil for a missing one, before anything
// is read that the event refers to.
func (r *Renderer) LoadEvents(ctx context.Context, ids []int64, check func(*wpstore.Post) error) (*Set, error) {
	return r.loadEvents(ctx, ids, loader.Steps{Check: check})
}

func (r *Renderer) loadEvents(ctx context.Context, ids []int64, steps loader.Steps) (*Set, error) {
	rows, err := r.loader.Events(ctx, ids, steps)
	if err != nil {
		return nil, err
	}
	set := r.add(rows)
	set.tickets, err = loadTickets(ctx, r.tickets, ids, r.place, r.viewer, r.Fields)
	return set, err
}

// LoadLinked reads venues or organizers with everything they refer to. Errors and check are those
// of LoadEvents.
func (r *Renderer) LoadLinked(ctx context.Context, ids []int64, check func(*wpstore.Post) error) (*Set, error) {
	return r.loadLinked(ctx, ids, loader.Steps{Check: check})
}

func (r *Renderer) loadLinked(ctx context.Context, ids []int64, steps loader.Steps) (*Set, error) {
	rows, err := r.loader.Posts(ctx, ids, steps)
	if err != nil {
		return nil, err
	}
	return r.add(rows), nil
}

// add adds a set of rows to the response.
func (r *Renderer) add(rows *loader.Set) *Set {
	set := newSet(rows, r.place, r.viewer, r.clock)
	r.sets = append(r.sets, set)
	return set
}

// writer writes posts of a set.
func (r *Renderer) writer(w *phpjson.Writer, set *Set) postWriter {
	links := tribev1.Links{Links: r.place.Links, Namespace: r.namespace}
	return postWriter{Writer: w, set: set, place: r.place, viewer: r.viewer, clock: r.clock, links: links, self: links}
}

// Event writes an event of the set. single adds the structured data, also of linked posts. In
// lists, fields that a password protects are blank, unless the site ignores passwords there.
func (r *Renderer) Event(w *phpjson.Writer, set *Set, p *wpstore.Post, single bool) {
	out := r.writer(w, set)
	if r.events == nil || !r.events.write(out, r.loader, p, single) {
		out.event(p, single, !single && !set.past.openLists && r.viewer.Locked(p))
	}
}

// Linked writes a venue or an organizer of the set. single adds the structured data. The
// fields of one that a password protects are blank, unless the site ignores passwords there.
func (r *Renderer) Linked(w *phpjson.Writer, set *Set, kind *api.PostKind, p *wpstore.Post, single bool) {
	r.writer(w, set).linkedPost(kind, p, single, set.locksLink(p) && r.viewer.Locked(p))
}

// WrittenEvent returns the response to a write of an event: what lists show of it, without regard
// to its password.
func (r *Renderer) WrittenEvent(ctx context.Context, e Written) (*api.Result, error) {
	steps := loader.Steps{With: e.RefersTo, Known: e.Rows}
	if e.Shown != nil {
		steps.Amend = e.Shown.amend
	}
	r.loader.Fresh = true
	set, err := r.loadEvents(ctx, []int64{e.ID}, steps)
	if err != nil {
		return nil, err
	}
	p := set.Post(e.ID)
	if p == nil { // deleted by another request
		return nil, tribev1.Fail("rest-event-not-found", "id", strconv.FormatInt(e.ID, 10))
	}
	w := r.NewWriter()
	out := r.writer(w, set)
	if e.SelfLanguage != "" {
		out.self.Links = r.place.LinksFor(e.SelfLanguage)
	}
	out.event(p, false, false)
	return r.Result(w), nil
}

// WrittenLinked returns the response to a write of a venue or an organizer. rows are its rows,
// nil where they must be read.
func (r *Renderer) WrittenLinked(ctx context.Context, kind *api.PostKind, id int64, rows *wpstore.PostSet) (*api.Result, error) {
	r.loader.Fresh = true
	set, err := r.loadLinked(ctx, []int64{id}, loader.Steps{Known: rows})
	if err != nil {
		return nil, err
	}
	p := set.Post(id)
	if p == nil { // deleted by another request
		return nil, tribev1.Fail(tribev1.Singular(kind) + "-not-accessible")
	}
	w := r.NewWriter()
	r.writer(w, set).linkedPost(kind, p, false, false)
	return r.Result(w), nil
}
