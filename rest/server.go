package rest

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/rest/access"
	"calbridge/rest/answers"
	"calbridge/rest/api"
	"calbridge/rest/lookup"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/rest/render"
	"calbridge/rest/routes"
	"calbridge/rest/webpicture"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Server answers the REST namespace. It is safe for concurrent use and keeps no
// state but caches.
type Server struct {
	cfg    Config
	store  *wpstore.DB
	words  *api.Wording
	site   *wpsite.Builder
	tables tables
	sites  *siteCache
	limits api.Limits
	// answers are kept for the next who asks, nil where nothing is kept.
	answers  *answers.Cache
	compress *answers.Compressor
	pictures *webpicture.Source

	users    *userCache
	throttle *throttle
	writers  *recentWriters
	// useNotRecorded: the database refuses to note the use of application passwords.
	useNotRecorded atomic.Bool
	// background runs what must not hold up an answer; Close waits for it.
	background sync.WaitGroup
	render     *render.Shared
	// buffers is memory of earlier answers, for the next.
	buffers phpjson.Buffers
}

// Close waits for work that answers have left behind.
func (s *Server) Close() {
	s.background.Wait()
	if s.answers != nil {
		s.answers.Close()
	}
}

// New returns a Server over store. It reads nothing yet.
func New(store *wpstore.DB, cfg Config) *Server {
	s := &Server{
		cfg: cfg, store: store,
		words:    api.NewWording(cfg.Profile, "en"),
		limits:   api.Limits{Body: cfg.MaxBody, Form: phpform.Limits{MaxVars: cfg.MaxVars, MaxDepth: cfg.MaxDepth}},
		compress: answers.NewCompressor(),
	}
	s.site = wpsite.NewBuilder(&s.cfg.Settings)
	if cfg.Ledger != nil && cfg.CacheBytes > 0 {
		s.answers = answers.New(cfg.Ledger, cfg.CacheBytes)
	}
	s.pictures = webpicture.NewSource(cfg.Fetch, cfg.UploadsDir, cfg.ReadOnly, cfg.Logger)
	s.users = &userCache{now: time.Now, maxAge: cfg.SiteRefresh}
	s.render = render.NewShared(cfg.RenderCache, &s.buffers)
	s.tables.handlers, s.tables.param = handlers(s.render, &cfg), cfg.Settings.LanguageParameter()
	s.throttle = &throttle{now: time.Now, free: cfg.Auth.FreeFailures}
	if cfg.Compat.Exact() {
		s.throttle.free = 0
	}
	s.writers = &recentWriters{now: time.Now, remember: store.ReplicaMaxLag() + writeMargin}
	s.sites = newSiteCache(&s.cfg, s.loadSite)
	s.sites.mayKeep = store.HasReplica
	return s
}

func (s *Server) loadSite(ctx context.Context) (*liveSite, error) {
	facts, err := s.store.SiteFacts(ctx)
	if err != nil {
		return nil, err
	}
	site := s.site.Site(facts)
	return &liveSite{Site: site, table: s.tables.of(site.Languages.Offered)}, nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(r.Context(), s.cfg.RequestTimeout)
	defer cancel()
	k := s.lookUp(ctx, r)
	defer k.release()
	if k.found != nil {
		if !s.declines(r, k.found.Status, k.found.NotRendered) {
			s.giveOut(w, r, k.found, start)
		}
		return
	}
	ctx, queries := wpstore.WithQueryCount(k.collect(ctx))
	c := &call{ctx: ctx, srv: s, current: k.current}
	c.req = routes.Request{
		Place: &wpsite.Place{Words: s.words}, Viewer: &access.Viewer{User: wpcap.Anonymous()}, Clock: &api.Clock{At: s.cfg.Now()}, Store: s.store,
	}
	out := s.answer(c, r)
	if out.kept = k.keep(c, out); out.kept != nil {
		s.answers.Put(k.key, out.kept)
	}
	k.release() // a slow client must not hold up the others
	if s.declines(r, out.status, c.learned.NotRendered) {
		return
	}
	n := s.send(w, r, c, out)
	if c.buffer != nil {
		s.buffers.Recycle(c.buffer)
	}
	if s.cfg.Observe != nil {
		s.cfg.Observe(&api.Observation{
			Context: r.Context(), Method: knownMethod(r.Method), Route: c.routeTemplate(), Language: c.req.Place.LanguageCode(), Path: r.URL.Path,
			Status: out.status, Code: out.code, Bytes: n, Queries: queries.N(), UserID: c.req.Viewer.User.ID, Auth: string(c.login), Cache: k.result,
			Took: time.Since(start), Panicked: out.panicked, Err: out.cause, NotRendered: c.learned.NotRendered,
		})
	}
}

// routeTemplate is the template of the matched route, "" without one.
func (c *call) routeTemplate() string {
	if c.req.Route == nil {
		return ""
	}
	return c.req.Route.Template
}

// answer runs the request and turns every failure, a panic too, into a reply.
func (s *Server) answer(c *call, r *http.Request) (out *reply) {
	defer func() {
		if p := recover(); p != nil {
			s.cfg.Logger.Error("panic while answering", "panic", p, "stack", string(debug.Stack()))
			out = &reply{status: http.StatusInternalServerError, panicked: true}
			out.json(api.Fail("calbridge_internal").Body(c.req.Place.Words))
		}
	}()
	err := c.run(r)
	var e *api.Error
	if err != nil && !errors.Is(err, errNotREST) {
		e = api.PublicError(err)
	}
	switch {
	case errors.Is(err, errNotREST):
		c.reply.notREST()
	case e != nil:
		c.finishError(e)
	}
	return &c.reply
}

// run takes the steps of WordPress's REST server in its order; the first failure
// decides the answer.
func (c *call) run(r *http.Request) error {
	live, err := c.srv.sites.get(c.ctx)
	if err != nil {
		return err
	}
	c.table = live.table
	path, rawQuery := api.SplitTarget(r.RequestURI)
	query := phpform.Parse(rawQuery, c.srv.limits.Form)
	req, err := api.Parse(r, query, c.srv.limits)
	if err != nil {
		return err
	}
	c.req.Request = req
	if c.current && !api.Writes(c.req.Method) {
		c.ctx = wpstore.FromMemory(c.ctx)
	}
	c.req.RemoteAddr, c.req.HTTPS = c.srv.client(r)
	*c.req.Place = live.Site.Place(c.req.HTTPS)
	c.req.Viewer.Site = live.Site
	lookups := lookup.New(c.req.Store, live.Site)
	c.req.Lookups = &lookups
	c.req.Pictures = webpicture.NewNamed(c.srv.pictures, c.req.Store, c.req.Viewer, c.req.Place, c.req.Clock.At)
	restPath, err := c.resolve(path)
	if err != nil {
		return err
	}
	c.reply.start(c)
	if err := c.checkCallback(); err != nil {
		return err
	}
	c.reply.common()
	if err := c.authenticate(r); err != nil {
		return err
	}
	route, name, value := c.matchRoute(restPath)
	if name != "" {
		c.req.Captures = &php.Array{}
		c.req.Captures.SetString(name, value)
	}
	if c.req.Method == http.MethodOptions {
		if c.req.Route = route; route != nil {
			c.req.Endpoint = &route.Endpoints[0]
		}
		return c.finish(routes.Options(&c.req))
	}
	if route == nil || route.Endpoint(c.req.Method) == nil {
		return api.Fail("rest_no_route")
	}
	c.req.Route, c.req.Endpoint = route, route.Endpoint(c.req.Method)
	return c.dispatch()
}

// dispatch runs a matched endpoint: body syntax, arguments, permission, handler.
func (c *call) dispatch() error {
	if e := c.req.JSONErr; e != nil {
		err := api.Fail("rest_invalid_json")
		err.Data = &php.Array{}
		err.Data.SetString("json_error_code", int64(e.Code))
		err.Data.SetString("json_error_message", e.Message)
		return err
	}
	c.chooseServer()
	if !api.Writes(c.req.Method) {
		var done func()
		c.ctx, done = c.req.Store.KeepConnection(c.ctx)
		defer done()
	}
	if err := c.req.CheckArgs(c.ctx); err != nil {
		return err
	}
	c.req.Place.Want(c.req.Language())
	c.req.Viewer.Password, c.req.Viewer.EditContext = c.req.Get("password"), c.req.Text("context") == "edit"
	if c.req.Endpoint.Allowed != nil {
		ok, err := c.req.Endpoint.Allowed(c.ctx, &c.req)
		if err != nil {
			return err
		}
		if !ok {
			return c.req.Viewer.Forbidden()
		}
	}
	if api.Writes(c.req.Method) && c.srv.cfg.ReadOnly {
		return api.Fail("calbridge_read_only")
	}
	res, err := c.req.Endpoint.Handle(context.WithValue(c.ctx, callKey{}, c), &c.req)
	if api.Writes(c.req.Method) {
		c.req.Lookups.ForgetPosts()
		c.srv.writers.wrote(c.req.RemoteAddr)
	}
	if err != nil {
		return err
	}
	c.learned, c.buffer = res.Learned, res.Buffer
	return c.finish(res)
}

// RenderedBytes is what the caches of rendering take now.
func (s *Server) RenderedBytes() uint64 { return s.render.Bytes() }

func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "OTHER"
}
