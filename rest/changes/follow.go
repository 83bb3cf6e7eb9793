package changes

import (
	"context"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/changes/stream"
	"calbridge/rest/wprest"
	"calbridge/wpstore/eventindex"
)

// streamPage is how many events a page of the stream has at most.
const streamPage = 25

// retryStreams is when a client that is one too many may come again, in seconds.
const retryStreams = 30

// stream answers with a stream of what changes in the list.
func (h *handlers) stream(ctx context.Context, r *wprest.Request) (*api.Result, error) {
	if h.Journal == nil {
		return nil, lacking(h.Lacks)
	}
	enter := h.entrance(api.ClientNetwork(r.ClientIP))
	leave, err := enter() // one that is refused anyway costs no query
	if err != nil {
		return nil, err
	}
	leave()
	l := h.listOf(r)
	client := stream.Client{Key: l.key, Source: l}
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.Text("sync_token")
	}
	if text != "" && text != fromNow {
		client.From, err = l.open(ctx, text)
	}
	var reason stream.Gone
	if errors.As(err, &reason) {
		h.gone(string(reason))
		client.Gone, err = reason, nil
	}
	if err == nil && client.From.ID == "" {
		client.Recent = true
		client.From, err = l.Now(ctx)
	}
	var refused *api.Error
	switch {
	case errors.As(err, &refused):
		return nil, refused
	case errors.Is(err, stream.ErrEnd): // its site has changed since it arrived
		return nil, public(errOtherSite)
	case err != nil:
		return nil, public(err)
	}
	return &api.Result{
		NoStore: true, Endless: enter, ContentType: "text/event-stream",
		Stream: func(ctx context.Context, w api.Flusher) error {
			h.Streams.Serve(ctx, w, client)
			return nil // the last message is whole, or the connection is broken already
		},
	}, nil
}

// entrance returns what takes the place of a stream of an address.
func (h *handlers) entrance(address string) func() (leave func(), err error) {
	return func() (func(), error) {
		leave, err := h.Streams.Enter(address)
		if err == nil {
			return leave, nil
		}
		e := api.Fail("calbridge_too_many_streams").Because(err)
		if errors.Is(err, stream.ErrAll) {
			e.Status = http.StatusServiceUnavailable
		}
		e.RetryAfter = retryStreams
		return nil, e
	}
}

// list is a list whose changes are streamed. It keeps nothing of the request that it was made
// from but what its clients have in common.
type list struct {
	*handlers
	r   *wprest.Request
	key string
}

func (h *handlers) listOf(r *wprest.Request) *list {
	l := &list{handlers: h, r: settled(r, r.Clock.At)}
	place := *r.Place
	l.r.Place, l.r.Pictures, l.r.Header = &place, nil, nil
	args := argsHash(r)
	l.key = hex.EncodeToString(args[:]) + strconv.FormatBool(r.HTTPS)
	return l
}

// Next implements stream.Source.
func (l *list) Next() stream.Move { return l.Journal.Next() }

// session begins to read the list as it is now.
func (l *list) session(ctx context.Context) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, l.Timeout)
	defer cancel()
	r := *l.r
	r.Clock = &api.Clock{At: l.Config.Now()}
	s, err := l.begin(ctx, &r)
	if errors.Is(err, errOtherSite) {
		return nil, stream.ErrEnd
	}
	if err == nil {
		s.perPage = streamPage
	}
	return s, err
}

// Now implements stream.Source.
func (l *list) Now(ctx context.Context) (stream.Cursor, error) {
	s, err := l.session(ctx)
	if err != nil {
		return stream.Cursor{}, err
	}
	p, err := s.now(ctx)
	if err != nil {
		return stream.Cursor{}, ended(err)
	}
	return p.next.streamed(s.seal(p.next)), nil
}

// open reads the position that a client resumes from.
func (l *list) open(ctx context.Context, text string) (stream.Cursor, error) {
	s, err := l.session(ctx)
	if err != nil {
		return stream.Cursor{}, err
	}
	t, err := s.resumed(text)
	if err != nil { // the text may be anything, which no message may have as its id
		return stream.Cursor{}, err
	}
	return t.streamed(text), nil
}

// resumed returns the token that a client resumes from.
func (s *session) resumed(text string) (token, error) {
	t, reason := s.sealer.open(text)
	switch {
	case reason != "":
	case t.rights != s.rights:
		reason = reasonRights
	case t.args != s.args:
		reason = reasonArguments
	case t.stage == listing: // the client doesn't have the list yet
		reason = reasonMalformed
	}
	if reason != "" {
		return t, stream.Gone(reason)
	}
	return t, nil
}

// streamed returns the cursor of a token.
func (t *token) streamed(text string) stream.Cursor {
	if t.stage == syncing {
		return stream.Cursor{ID: text, Run: t.end.Run, Seq: t.end.Seq, At: t.at, Partial: true}
	}
	return stream.Cursor{ID: text, Run: t.from.Run, Seq: t.from.Seq, At: t.since}
}

// After implements stream.Source.
func (l *list) After(ctx context.Context, from stream.Cursor) (*stream.Page, error) {
	s, err := l.session(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, l.Timeout)
	defer cancel()
	page, err := s.after(ctx, from.ID)
	if reason, ok := unusable(err); ok {
		l.gone(reason)
		return nil, stream.Gone(reason)
	}
	return page, ended(err)
}

// ended turns the error of a list that is refused now, because a category that it names has
// gone for example.
func ended(err error) error {
	var refused *api.Error
	if errors.As(err, &refused) && refused.Status < 500 {
		return errors.Join(stream.ErrEnd, err)
	}
	return err
}

// after returns the page behind a token.
func (s *session) after(ctx context.Context, text string) (*stream.Page, error) {
	t, err := s.resumed(text)
	if err != nil {
		return nil, err
	}
	t.syncTo(s.position, s.r.Clock.At.Unix())
	if t.from == t.end && t.at == t.since {
		return &stream.Page{To: t.streamed(text)}, nil
	}
	p, err := s.sync(ctx, t)
	if err != nil {
		return nil, err
	}
	before, err := s.before(ctx, t, p)
	if err != nil {
		return nil, err
	}
	if err := s.confirm(ctx, p); err != nil {
		return nil, err
	}
	return s.messages(t, p, before), nil
}

// messages returns those of a page after a token. Each has a position of its own: a client that
// is cut off in the middle of a change with many events goes on there.
func (s *session) messages(t token, p *page, before map[int64]bool) *stream.Page {
	next := s.seal(p.next)
	out := &stream.Page{To: p.next.streamed(next), More: p.more}
	all := map[int64]stream.Message{}
	for _, i := range p.items {
		kind := stream.Created
		if before[i.id] {
			kind = stream.Updated
		}
		all[i.id] = stream.Message{Kind: kind, Data: i.json}
	}
	for _, id := range p.deleted {
		all[id] = stream.Message{Kind: stream.Deleted, Data: tombstone(id)}
	}
	for _, id := range slices.Sorted(maps.Keys(all)) { // as the token goes through them
		m := all[id]
		t.cursor = id
		if m.ID = next; len(out.Messages) < len(all)-1 {
			m.ID = s.seal(t)
		}
		out.Messages = append(out.Messages, m)
	}
	return out
}

// before returns those of the events of a page that were in the list already, or may have been.
func (s *session) before(ctx context.Context, t token, p *page) (map[int64]bool, error) {
	out := map[int64]bool{}
	if len(p.items) == 0 {
		return out, nil
	}
	changed, err := s.Journal.Since(ctx, t.from, t.end.Seq, maxCandidates)
	if err != nil {
		return nil, err
	}
	old, err := filterOf(ctx, s.asked(t.sinceTime()))
	if err != nil {
		return nil, err
	}
	var states []eventindex.State
	journaled := map[int64]bool{}
	for _, e := range changed.Events {
		journaled[e.ID] = true
		if e.Existed && len(e.States) > 0 {
			states = append(states, e.States[0])
		}
	}
	var others []int64
	for _, i := range p.items {
		if !journaled[i.id] {
			others = append(others, i.id)
		}
	}
	unchanged, err := s.statesOf(ctx, others)
	if err != nil {
		return nil, err
	}
	states = append(states, unchanged...)
	found, outcome := s.Journal.Reader().Find(old.query, states)
	for i := range states {
		out[states[i].EventID()] = outcome != eventindex.FromIndex || found[i]
	}
	return out, nil
}
