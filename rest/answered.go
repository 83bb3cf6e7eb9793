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

// answered is the response to a request. It implements [api.Answered].
type answered struct {
	server  *Server
	request *http.Request
	start   time.Time
	cache   api.CacheResult
	// found is a response that was built for an earlier request, or for one at the same time. The
	// other response was built for this request, unless there is such a one.
	found *respcache.Answer
	built
}

// built is a response with what was found out about its request. shared is nil if the response is
// not cached.
type built struct {
	*exchange
	res    *api.Response
	shared *respcache.Answer
}

// respond looks the response to a request up, or builds it.
func (s *Server) respond(w http.ResponseWriter, r *http.Request) answered {
	a := answered{server: s, request: r, start: time.Now()}
	s.proxies.see(r)
	ctx, cancel := context.WithTimeout(r.Context(), s.cfg.RequestTimeout)
	defer cancel()
	r = withTimedBody(ctx, w, r)
	k := s.door.LookUp(ctx, r)
	if a.found = k.Found; a.found == nil {
		a.built, a.found = respcache.Build(ctx, &k, func(ctx context.Context, depends *invalidation.Dependencies) (built, *respcache.Answer) {
			x := newExchange(s, s.store.Session(depends), k.Proven, k.Current)
			res := s.answer(ctx, x, r)
			b := built{exchange: x, res: res}
			if depends != nil {
				b.shared = respcache.NewAnswer(res, x.template(), x.req.Place.LanguageCode(), x.clock.At)
			}
			return b, b.shared
		})
	}
	a.cache = k.Result
	return a
}

// Draft implements [api.Answered].
func (a *answered) Draft() *api.Draft {
	if shared := cmp.Or(a.found, a.shared); shared != nil {
		return shared.Draft()
	}
	return &api.Draft{Route: a.template()}
}

// Elsewhere implements [api.Answered].
func (a *answered) Elsewhere() bool {
	return a.found == nil && a.res.Elsewhere && a.request.ContentLength == 0
}

// NotRendered implements [api.Answered].
func (a *answered) NotRendered() []string {
	status, names := 0, []string(nil)
	if a.found != nil {
		status, names = a.found.Status, a.found.NotRendered
	} else {
		status, names = a.res.Status, a.res.NotRendered
	}
	if len(names) == 0 || status != http.StatusOK || !api.PlainGET(a.request) {
		return nil
	}
	return names
}

// Copy implements [api.Answered].
func (a *answered) Copy(w http.ResponseWriter) error {
	if a.found != nil {
		res := a.found.Response()
		_, err := a.server.send(w, a.request, &res, a.found)
		return err
	}
	_, err := a.server.send(w, a.request, a.res, a.shared)
	return err
}

// Send implements [api.Answered].
func (a *answered) Send(w http.ResponseWriter) {
	if a.found != nil {
		a.sendFound(w)
	} else {
		a.sendBuilt(w)
	}
}

// sendFound sends a response that wasn't built for this request.
func (a *answered) sendFound(w http.ResponseWriter) {
	s, r, res := a.server, a.request, a.found.Response()
	n, _ := s.send(w, r, &res, a.found)
	if s.cfg.Observe != nil {
		s.cfg.Observe(&api.Observation{
			Context: r.Context(), Method: http.MethodGet, Route: a.found.Route, Language: a.found.Language, Path: r.URL.Path, Status: res.Status, Bytes: n,
			Auth: string(login.None), Cache: api.CacheHit, Took: time.Since(a.start), NotRendered: res.NotRendered,
		})
	}
}

// sendBuilt sends the response that was built for this request.
func (a *answered) sendBuilt(w http.ResponseWriter) {
	s, r, x, res := a.server, a.request, a.exchange, a.res
	if res.Endless != nil {
		leave, err := res.Endless()
		if err == nil {
			defer leave()
		} else {
			ctx, cancel := context.WithTimeout(r.Context(), s.cfg.RequestTimeout)
			defer cancel()
			res = s.refusalInstead(ctx, x, api.PublicError(err))
		}
	}
	took := time.Since(a.start)
	n, broken := s.send(w, r, res, a.shared)
	if res.Endless == nil {
		took = time.Since(a.start)
	}
	if res.Buffer != nil {
		s.buffers.Recycle(res.Buffer)
	}
	if s.cfg.Observe != nil {
		s.cfg.Observe(&api.Observation{
			Context: r.Context(), Method: knownMethod(r.Method), Route: x.template(), Language: x.req.Place.LanguageCode(), Path: r.URL.Path,
			Status: res.Status, Code: res.Code, Bytes: n, Queries: x.req.Store.Queries(), UserID: x.identity.User.ID, Auth: string(x.identity.Scheme), Cache: a.cache,
			Took: took, Panicked: res.Panicked, Err: cmp.Or(res.Cause, broken), NotRendered: res.NotRendered, LeftOut: res.LeftOut,
		})
	}
	if broken != nil {
		panic(http.ErrAbortHandler) // closes the connection
	}
}
