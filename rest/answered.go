package rest

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/login"
	"calbridge/rest/respcache"
	"calbridge/wpstore/invalidation"
)

// answered is the complete response to a request. It implements [api.Answered].
type answered struct {
	server  *Server
	request *http.Request
	res     api.Response
	// shared is the same response in the response cache; nil if it isn't cached.
	shared *respcache.Answer
	// replaced is sent in place of the response; nil for the response itself.
	replaced *respcache.Answer
	// limit limits what shared caches may store; nil for no limit.
	limit *api.Storing
	// observed lacks only what sending adds.
	observed api.Observation
	// leave gives back the place of a stream that has no end; nil for any other response.
	leave  func()
	cancel context.CancelFunc
}

// built is a response with what was found out about its request. shared is nil if the response is
// not cached.
type built struct {
	*exchange
	res    *api.Response
	shared *respcache.Answer
}

// respond looks the response to a request up, or builds it. The caller closes it.
func (s *Server) respond(w http.ResponseWriter, r *http.Request) answered {
	start := time.Now()
	s.proxies.see(r)
	ctx, cancel := context.WithTimeout(r.Context(), s.cfg.RequestTimeout)
	r = withTimedBody(ctx, w, r)
	k := s.door.LookUp(ctx, r)
	if k.Found != nil {
		return s.found(r, k.Found, start, cancel)
	}
	b, found := respcache.Build(ctx, &k, func(ctx context.Context, depends *invalidation.Dependencies) (built, *respcache.Answer) {
		x := newExchange(s, s.store.Session(depends), k.CaughtUp, k.Current)
		b := built{exchange: x, res: s.answer(ctx, x, r)}
		if depends != nil {
			b.shared = respcache.NewAnswer(b.res, x.template(), x.req.Place.LanguageCode(), x.clock.At)
		}
		return b, b.shared
	})
	if found != nil {
		return s.found(r, found, start, cancel)
	}
	x, res := b.exchange, b.res
	var leave func()
	if res.Endless != nil {
		var err error
		if leave, err = res.Endless(); err != nil {
			leave, res = nil, s.refusalInstead(ctx, x, api.PublicError(err))
		}
	}
	return answered{
		server: s, request: r, res: *res, shared: b.shared, leave: leave, cancel: cancel,
		observed: api.Observation{
			Context: r.Context(), Method: knownMethod(r.Method), Route: x.template(), Language: x.req.Place.LanguageCode(), Path: r.URL.Path,
			Status: res.Status, Code: res.Code, Queries: x.session.Queries(), UserID: x.identity.User.ID, Auth: string(x.identity.Scheme), Cache: k.Result,
			Took: time.Since(start), Panicked: res.Panicked, Err: res.Cause, NotRendered: res.NotRendered, LeftOut: res.LeftOut,
		},
	}
}

// found returns a response that was built for an earlier request, or for one at the same time.
func (s *Server) found(r *http.Request, a *respcache.Answer, start time.Time, cancel context.CancelFunc) answered {
	return answered{
		server: s, request: r, res: a.Response(), shared: a, cancel: cancel,
		observed: api.Observation{
			Context: r.Context(), Method: http.MethodGet, Route: a.Route, Language: a.Language, Path: r.URL.Path, Status: a.Status, Code: a.Code,
			Auth: string(login.None), Cache: api.CacheHit, Took: time.Since(start), NotRendered: a.NotRendered,
		},
	}
}

// Summary implements [api.Answered].
func (a *answered) Summary() *api.Summary {
	if a.shared != nil && a.shared.Shared {
		return a.shared.Summary()
	}
	return &api.Summary{Route: a.observed.Route}
}

// Elsewhere implements [api.Answered].
func (a *answered) Elsewhere() bool { return a.res.Elsewhere && a.request.ContentLength == 0 }

// NotRendered implements [api.Answered].
func (a *answered) NotRendered() []string {
	if len(a.res.NotRendered) == 0 || a.res.Status != http.StatusOK || !api.PlainGET(a.request) {
		return nil
	}
	return a.res.NotRendered
}

// Copy implements [api.Answered].
func (a *answered) Copy(w http.ResponseWriter) error {
	_, err := a.server.send(w, a.request, &a.res, a.shared, storing{})
	return err
}

// Replace implements [api.Answered].
func (a *answered) Replace(body []byte) {
	if a.shared != nil && a.shared.Shared {
		a.replaced = a.shared.Instead(body)
	}
}

// Limit implements [api.Answered].
func (a *answered) Limit(s api.Storing) { a.limit = &s }

// Send implements [api.Answered].
func (a *answered) Send(w http.ResponseWriter) {
	begin := time.Now()
	res, shared := a.res, a.shared
	if a.replaced != nil {
		res.Body, shared = a.replaced.Body, a.replaced
	}
	n, broken := a.server.send(w, a.request, &res, shared, storing{allowed: true, limit: a.limit})
	if observe := a.server.cfg.Observe; observe != nil {
		o := a.observed
		o.Bytes, o.Err = n, cmp.Or(o.Err, broken)
		if streamed := a.res.Streamed; streamed != nil {
			o.NotRendered, o.LeftOut = streamed.NotRendered, streamed.LeftOut
		}
		if a.res.Endless == nil {
			o.Took += time.Since(begin)
		}
		observe(&o)
	}
	if broken != nil {
		panic(http.ErrAbortHandler) // closes the connection
	}
}

// Close implements [api.Answered].
func (a *answered) Close() {
	a.cancel()
	if a.leave != nil {
		a.leave()
	}
	if a.res.Buffer != nil {
		a.server.buffers.Recycle(a.res.Buffer)
	}
}
