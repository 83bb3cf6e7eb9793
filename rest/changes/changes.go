package changes

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/changes/stream"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/journal"
	"calbridge/wpstore/options"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// Config is what changes are answered from.
type Config struct {
	// Journal is nil where the site lacks something: then Lacks names it.
	Journal *journal.Journal
	Lacks   string
	Store   *sitedb.DB
	// Stores returns the stores of a session.
	Stores func(*sitedb.Session) calendar.Stores
	Render *render.Shared
	// Site is the site as it is once all changes up to now have been noticed.
	Site func(context.Context, *sitedb.Session) (*wpsite.Site, error)
	// Streams are all streams of the server. Timeout bounds the work on what they send, and Now
	// is the clock.
	Streams *stream.Hub
	Timeout time.Duration
	Now     func() time.Time
	// Gone, when not nil, is called with the reason for each token that can't be used.
	Gone func(reason string)
}

// Handlers returns those of the routes about changes.
func Handlers(cfg Config) wprest.Handlers {
	h := &handlers{Config: cfg, pages: newPages()}
	return wprest.Handlers{tribev1.Changes.Of(tribev1.Collection(api.Events)): h.changes, tribev1.Stream.Of(tribev1.Collection(api.Events)): h.stream}
}

type handlers struct {
	Config
	look  atomic.Pointer[look]
	pages pages
}

// look is the fingerprint of what a site makes of its rows.
type look struct {
	site *wpsite.Site
	hash hash
}

// lookOf returns that of a site.
func (h *handlers) lookOf(site *wpsite.Site) (hash, error) {
	if known := h.look.Load(); known != nil && known.site == site {
		return known.hash, nil
	}
	text, err := options.Fingerprint(site.Facts)
	if err != nil {
		return hash{}, err
	}
	l := &look{site, hashOf([]byte(text))}
	h.look.Store(l)
	return l.hash, nil
}

// gone counts a token that can't be used.
func (h *handlers) gone(reason string) {
	if h.Gone != nil {
		h.Gone(reason)
	}
}

// changes answers with a page of the list, or of what has changed in it.
func (h *handlers) changes(ctx context.Context, r *wprest.Request) (*api.Result, error) {
	if h.Journal == nil {
		return nil, lacking(h.Lacks)
	}
	s, err := h.begin(ctx, r)
	if err != nil {
		return nil, public(err)
	}
	text := r.Text("page_token")
	if text == "" {
		text = r.Text("sync_token")
	}
	var p *page
	switch text {
	case "":
		p, err = s.list(ctx, token{stage: listing, from: s.position, since: r.Clock.At.Unix()})
	case fromNow:
		p, err = s.now(ctx)
	default:
		p, err = s.proceed(ctx, text, r.Clock.At)
	}
	if err == nil {
		err = s.confirm(ctx, p)
	}
	if err != nil {
		if reason, ok := unusable(err); ok {
			h.gone(reason)
		}
		return nil, public(err)
	}
	return s.answer(p), nil
}

// fromNow is the token of a client that needs no list: it gets one without events.
const fromNow = "now"

// now returns the empty page of a client that has the list as it is now, or needs none.
func (s *session) now(ctx context.Context) (*page, error) {
	at := s.r.Clock.At
	f, err := filterOf(ctx, s.asked(at))
	if err != nil {
		return nil, err
	}
	return &page{next: token{stage: synced, from: s.position, since: at.Unix(), filter: f.hash}, listed: at.Unix()}, nil
}

var errOtherSite = fmt.Errorf("the site's settings have changed since the request arrived: %w", journal.ErrNotReady)

// session is a request for what has changed, on its way.
type session struct {
	*handlers
	sealer *sealer
	r      *wprest.Request
	store  *sitedb.Session
	rights hash
	args   hash
	look   hash
	// position is where the journal was before anything was read.
	position journal.Position
	perPage  int
	// states are those of events, as far as they were read.
	states map[int64]eventindex.State
}

// begin prepares to read at the journal's position.
func (h *handlers) begin(ctx context.Context, r *wprest.Request) (*session, error) {
	s := &session{handlers: h, r: r, args: argsHash(r), rights: hashOf([]byte(r.Viewer.User.Rights())), perPage: int(max(1, php.ToInt(r.Get("per_page")))), states: map[int64]eventindex.State{}}
	var err error
	if s.position, err = h.Journal.CatchUp(ctx); err != nil {
		return nil, err
	}
	id, secret, err := h.Journal.Secret()
	if err != nil {
		return nil, err
	}
	s.sealer = newSealer(id, secret)
	s.store = h.Store.Session(nil)
	s.store.CaughtUp()
	s.store.AllowCache()
	site, err := h.Site(ctx, s.store)
	if err != nil {
		return nil, err
	}
	if site != r.Place.Site {
		return nil, errOtherSite
	}
	s.look, err = h.lookOf(site)
	return s, err
}

// proceed goes on where a token is.
func (s *session) proceed(ctx context.Context, text string, now time.Time) (*page, error) {
	t, reason := s.sealer.open(text)
	switch {
	case reason != "":
		return nil, gone(reason)
	case t.rights != s.rights:
		return nil, gone(reasonRights)
	case t.args != s.args:
		return nil, gone(reasonArguments)
	case t.look != s.look:
		return nil, gone(journal.ReasonSite)
	}
	if t.stage == listing {
		return s.list(ctx, t)
	}
	t.syncTo(s.position, now.Unix())
	return s.sync(ctx, t)
}

// confirm leaves out of a page the events that have changed while it was made: what the
// client would get of them is no state that the journal knows. The next sync has them, and
// begins at the time whose list the client had, as [session.complete] says.
func (s *session) confirm(ctx context.Context, p *page) error {
	after, err := s.Journal.CatchUp(ctx)
	if err != nil {
		return err
	}
	if after == s.position {
		if p.key != nil {
			s.pages.Set(*p.key, slices.Clone(p.items))
		}
		return nil
	}
	touched, err := s.Journal.Touched(ctx, s.position.Seq)
	if err != nil {
		return err
	}
	p.leaveOut(touched)
	noticed, err := s.noticed(ctx, s.position, after.Seq)
	if noticed.events {
		p.next.since = p.listed
	}
	return err
}

// seal completes a token and seals it.
func (s *session) seal(t token) string {
	t.args, t.rights, t.look = s.args, s.rights, s.look
	return s.sealer.seal(&t)
}
