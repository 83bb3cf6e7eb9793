package union

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"sync"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/changes/stream"
	"calbridge/rest/respcache"
	"calbridge/wpstore/guard"
)

// streamPage is the number of events of a page of a stream.
const streamPage = 25

// retryStreams is the time after which a client that is one too many may come again, in seconds.
const retryStreams = 30

// Streaming configures streams, besides the Config of a Handler.
type Streaming struct {
	// Hub has the streams, with their limits. It ends them.
	Hub *stream.Hub
	// Sources are shared by all Handlers.
	Sources *Sources
	// Moved returns channels, of which one is closed once a site may have changed.
	Moved func() []<-chan struct{}
	// Address returns the network of a request's client.
	Address func(*http.Request) string
	// Patience limits the time that one piece of a stream may take, and that reading one may take.
	Patience time.Duration
}

// Sources holds the calendars that are streamed. It is safe for concurrent use.
type Sources struct {
	guard  *guard.Guard
	sender *respcache.Sender
	work   sync.WaitGroup

	mu    sync.Mutex
	byKey map[string]*source
	runs  int
}

// NewSources returns no Sources. Call Close after all streams have ended.
func NewSources(g *guard.Guard) *Sources {
	return &Sources{guard: g, sender: respcache.NewSender(""), byKey: map[string]*source{}}
}

// Close waits for the goroutines of the Sources.
func (s *Sources) Close() { s.work.Wait() }

// source is a calendar that is streamed to all clients with the same query. It implements stream.Source.
type source struct {
	h       *Handler
	s       *Streaming
	q       query
	run     string
	context context.Context // until the last client leaves
	end     context.CancelFunc

	mu      sync.Mutex
	clients int
	// seq is the number of pages that the group of the clients was sent.
	seq int64
	// renewed is the time at which a cursor was made last although nothing had changed.
	renewed time.Time
	await   context.CancelFunc // ends the goroutine of the latest move
}

// enter returns the source of a query, which leave must follow.
func (s *Sources) enter(h *Handler, st *Streaming, q *query) *source {
	key := q.own.Encode()
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.byKey[key]
	if c == nil {
		s.runs++
		c = &source{h: h, s: st, q: *q, run: "network " + strconv.Itoa(s.runs), renewed: time.Now()}
		c.context, c.end = context.WithCancel(context.Background())
		s.byKey[key] = c
	}
	c.clients++
	return c
}

func (s *Sources) leave(c *source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.clients--; c.clients == 0 {
		delete(s.byKey, c.q.own.Encode())
		c.end()
	}
}

// Stream answers a request for a stream. It lasts until its client leaves or the hub ends it.
func (h *Handler) Stream(w http.ResponseWriter, r *http.Request) {
	st := h.Streaming
	res, client, leave, err := h.open(r)
	if err != nil {
		w.Header().Set("Cache-Control", "no-store")
		h.serve(w, r, jsonType, func() ([]byte, error) { return nil, err })
		return
	}
	defer leave()
	head := w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("Cache-Control", "no-store")
	head.Set("X-Robots-Tag", "noindex")
	head.Set("X-Content-Type-Options", "nosniff")
	res.Stream = func(ctx context.Context, w api.Flusher) error {
		st.Hub.Serve(ctx, w, client)
		return nil // the last message is whole, or the connection is broken already
	}
	_, _ = st.Sources.sender.Endless(w, r, res, r.Method == http.MethodHead, st.Patience)
}

// open takes a place for a stream, which leave gives back.
func (h *Handler) open(r *http.Request) (res *api.Response, client stream.Client, leave func(), err error) {
	st := h.Streaming
	q, text, err := parseChanges(r.URL.RawQuery)
	if err != nil {
		return nil, client, nil, err
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		text = last
	}
	give, err := st.Hub.Enter(st.Address(r))
	if err != nil {
		return nil, client, nil, tooMany(err)
	}
	q.perPage = streamPage
	q.own.Del("per_page")
	src := st.Sources.enter(h, st, q)
	taken := func() { st.Sources.leave(src); give() }
	defer func() {
		if err != nil {
			taken()
		}
	}()
	client = stream.Client{Key: src.run, Source: src}
	if text != "" && text != fromNow {
		if _, err := parsePosition(text); err != nil {
			client.Gone = goneReason(err)
		} else {
			client.From = stream.Cursor{ID: text, Partial: true}
		}
	}
	if client.From.ID == "" {
		client.Recent = true
		if client.From, err = src.now(r.Context(), client.Gone != ""); err != nil {
			return nil, client, nil, err
		}
	}
	return &api.Response{Status: http.StatusOK, Header: http.Header{}}, client, taken, nil
}

// tooMany returns the refusal of one more stream.
func tooMany(err error) error {
	status := http.StatusTooManyRequests
	if errors.Is(err, stream.ErrAll) {
		status = http.StatusServiceUnavailable
	}
	refused := refuse(status, "calbridge_too_many_streams", "Too many streams are open. Try again later.", nil)
	refused.retryAfter = retryStreams
	return refused
}

// Now implements stream.Source.
func (s *source) Now(ctx context.Context) (stream.Cursor, error) { return s.now(ctx, true) }

// now returns the cursor of a client that has the calendar as it is now. With resumes the client may name
// sites that are gone.
func (s *source) now(ctx context.Context, resumes bool) (stream.Cursor, error) {
	begun := s.count()
	ctx, cancel := context.WithTimeout(ctx, s.s.Patience)
	defer cancel()
	q := s.q
	q.resumes = resumes
	p, err := s.h.follow(ctx, &q, position{}, true)
	if err != nil {
		return stream.Cursor{}, ended(err)
	}
	return stream.Cursor{ID: p.to.token(), Run: s.run, Seq: begun, Partial: p.more}, nil
}

// count returns the number of pages that the group was sent.
func (s *source) count() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq
}

// advance returns the number of the next page that the group is sent.
func (s *source) advance() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	return s.seq
}

// After implements stream.Source. A page of the group gets the next number once it was read. Another client
// reads until nothing is left, and then gets the number from before that reading: it has everything up to there.
func (s *source) After(ctx context.Context, from stream.Cursor) (*stream.Page, error) {
	begun := s.count()
	ctx, cancel := context.WithTimeout(ctx, s.s.Patience)
	defer cancel()
	at, err := parsePosition(from.ID)
	if err != nil {
		return nil, goneReason(err)
	}
	q := s.q
	q.resumes = true
	p, err := s.h.follow(ctx, &q, at, false)
	if err != nil {
		return nil, ended(err)
	}
	if len(p.changes) == 0 && !p.more && from.Run == s.run && !from.Partial && p.to.same(at) && !s.renews() {
		return &stream.Page{To: from}, nil
	}
	out := &stream.Page{To: stream.Cursor{ID: p.to.token(), Partial: p.more}, More: p.more}
	switch {
	case from.Run == s.run:
		out.To.Run, out.To.Seq = s.run, s.advance()
	case len(p.changes) > 0 || p.more: // what the group reads at the same time may be more
		out.To.Partial, out.More = true, true
	default:
		out.To.Run, out.To.Seq = s.run, begun
	}
	for i, c := range p.changes {
		m := stream.Message{Kind: stream.Updated, Data: c.data}
		switch {
		case c.deleted:
			m.Kind = stream.Deleted
		case c.listed:
			m.Kind = stream.Created
		}
		if i == len(p.changes)-1 {
			m.ID = out.To.ID
		}
		out.Messages = append(out.Messages, m)
	}
	return out, nil
}

// renewEvery is the interval at which the cursor of clients is renewed while nothing changes, since tokens expire.
const renewEvery = time.Hour

// renews reports whether a cursor is to be renewed now.
func (s *source) renews() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.renewed) < renewEvery {
		return false
	}
	s.renewed = time.Now()
	return true
}

// ended turns a refusal into the end of the stream: the request would be refused now.
func ended(err error) error {
	var refused *refusal
	if errors.As(err, &refused) {
		return errors.Join(stream.ErrEnd, err)
	}
	return err
}

// move is the next change of a site. It implements stream.Move.
type move struct {
	done chan struct{}
	at   time.Time
}

// Done implements stream.Move.
func (m *move) Done() <-chan struct{} { return m.done }

// Reported implements stream.Move.
func (m *move) Reported() time.Time { return m.at }

// Next implements stream.Source. The goroutine of the move before ends.
func (s *source) Next() stream.Move {
	m, moved := &move{done: make(chan struct{})}, s.s.Moved()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.await != nil {
		s.await()
	}
	ctx, cancel := context.WithCancel(s.context)
	s.await = cancel
	if ctx.Err() != nil { // the last client has left
		return m
	}
	all := s.s.Sources
	all.guard.Go(&all.work, "waiting for changes of many sites", func() {
		defer cancel()
		if awaitAny(ctx, moved) {
			m.at = time.Now()
			close(m.done)
		}
	})
	return m
}

// awaitAny waits until one of the channels is closed. It returns false if the context has ended.
func awaitAny(ctx context.Context, channels []<-chan struct{}) bool {
	cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())}}
	for _, c := range channels {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)})
	}
	chosen, _, _ := reflect.Select(cases)
	return chosen > 0
}
