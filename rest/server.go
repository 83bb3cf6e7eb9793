package rest

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/rest/answers"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpform"
	"calbridge/rest/picture"
	"calbridge/rest/webfetch"
	"calbridge/rest/wpcap"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// Server answers the REST namespace. It is safe for concurrent use and keeps no
// state but caches.
type Server struct {
	cfg    Config
	store  *sitedb.DB
	zones  *phpdate.Zones
	words  *wording
	shared *shared
	sites  *siteCache
	limits limits
	fetch  *webfetch.Client
	// answers are kept for the next who asks, nil where nothing is kept.
	answers  *answers.Cache
	compress *answers.Compressor
	// uploads is the folder of pictures, nil where it is not known.
	uploads *picture.Folder

	users    *userCache
	throttle *throttle
	writers  *recentWriters
	// useNotRecorded: the database refuses to note the use of application passwords.
	useNotRecorded atomic.Bool
	// background runs what must not hold up an answer; Close waits for it.
	background sync.WaitGroup
	// events are those written lately, refs what texts were found to refer to, and
	// metadata that of files, unserialized.
	events   recent[eventKey, writtenEvent]
	refs     recent[refsKey, *content.Refs]
	metadata recent[wpstore.Digest, php.Value]
	// buffers is memory of earlier answers, for the next.
	buffers sync.Pool
}

// Close waits for work that answers have left behind.
func (s *Server) Close() {
	s.background.Wait()
	if s.answers != nil {
		s.answers.Close()
	}
}

// New returns a Server over store. It reads nothing yet.
func New(store *sitedb.DB, cfg Config) *Server {
	s := &Server{
		cfg: cfg, store: store,
		zones:    phpdate.NewZones(),
		words:    newWording(cfg.Profile, "en"),
		shared:   newShared(&cfg),
		limits:   limits{body: cfg.MaxBody, form: phpform.Limits{MaxVars: cfg.MaxVars, MaxDepth: cfg.MaxDepth}},
		compress: answers.NewCompressor(),
	}
	if cfg.Ledger != nil && cfg.CacheBytes > 0 {
		s.answers = answers.New(cfg.Ledger, cfg.CacheBytes)
	}
	if s.fetch = cfg.Fetch; s.fetch == nil {
		s.fetch = webfetch.New(webfetch.Config{})
	}
	if cfg.UploadsDir != "" {
		s.uploads = picture.NewFolder(cfg.UploadsDir)
	}
	s.users = &userCache{now: time.Now, maxAge: cfg.SiteRefresh}
	s.shareOut(cfg.RenderCache)
	s.throttle = &throttle{now: time.Now, free: cfg.Auth.FreeFailures}
	if cfg.Compat == Exact {
		s.throttle.free = 0
	}
	s.writers = &recentWriters{now: time.Now, remember: store.ReplicaMaxLag() + writeMargin}
	s.sites = newSiteCache(&s.cfg, s.loadSite)
	s.sites.mayKeep = store.HasReplica
	return s
}

func (s *Server) loadSite(ctx context.Context, store *sitedb.Session) (*site, error) {
	facts, err := store.Options.SiteFacts(ctx)
	if err != nil {
		return nil, err
	}
	return newSite(facts, &s.cfg, s.zones, s.shared), nil
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
	c := &call{ctx: ctx, srv: s, store: s.store.Session(k.collect()), wording: s.words, now: s.cfg.Now(), user: wpcap.Anonymous(), current: k.current}
	out := s.answer(c, r)
	if out.kept = k.keep(c, out); out.kept != nil {
		s.answers.Put(k.key, out.kept)
	}
	k.release() // a slow client must not hold up the others
	notRendered := c.notRendered()
	if s.declines(r, out.status, notRendered) {
		return
	}
	n := s.send(w, r, c, out)
	c.recycle()
	if s.cfg.Observe != nil {
		s.cfg.Observe(&Observation{
			Context: r.Context(), Method: knownMethod(r.Method), Route: c.routeTemplate(), Language: c.languageCode(), Path: r.URL.Path,
			Status: out.status, Code: out.code, Bytes: n, Queries: c.store.Queries(), UserID: c.user.ID, Auth: string(c.login), Cache: k.result,
			Took: time.Since(start), Panicked: out.panicked, Err: out.cause, NotRendered: notRendered,
		})
	}
}

// routeTemplate is the template of the matched route, "" without one.
func (c *call) routeTemplate() string {
	if c.route == nil {
		return ""
	}
	return c.route.template
}

// languageCode is the language that the URL or the parameter chose, "" for none.
func (c *call) languageCode() string {
	if c.lang.Wanted != "" {
		return strings.ToLower(c.lang.Wanted)
	}
	return c.lang.Root
}

// answer runs the request and turns every failure, a panic too, into a reply.
func (s *Server) answer(c *call, r *http.Request) (out *reply) {
	defer func() {
		if p := recover(); p != nil {
			s.cfg.Logger.Error("panic while answering", "panic", p, "stack", string(debug.Stack()))
			out = &reply{status: http.StatusInternalServerError, panicked: true}
			out.json(fail("calbridge_internal").body(c.wording))
		}
	}()
	err := c.run(r)
	var e *Error
	if err != nil && !errors.Is(err, errNotREST) {
		e = publicError(err)
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
	var err error
	if c.site, err = c.srv.sites.get(c.ctx, c.store); err != nil {
		return err
	}
	path, rawQuery := splitTarget(r.RequestURI)
	query := phpform.Parse(rawQuery, c.srv.limits.form)
	if c.req, err = parseRequest(r, query, c.srv.limits); err != nil {
		return err
	}
	if c.current && !writes(c.req.method) {
		c.store.AllowCache()
	}
	c.req.remoteAddr, c.req.https = c.srv.client(r)
	c.wording = c.site.wordingFor("")
	c.links = c.linksFor("")
	c.globalID = c.links.globalID
	c.text = c.site.text[index(c.req.https)]
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
		c.req.captures = &php.Array{}
		c.req.captures.SetString(name, value)
	}
	if c.req.method == http.MethodOptions {
		return c.options(route)
	}
	if route == nil || route.endpoint(c.req.method) == nil {
		return fail("rest_no_route")
	}
	c.route, c.ep = route, route.endpoint(c.req.method)
	return c.dispatch()
}

// dispatch runs a matched endpoint: body syntax, arguments, permission, handler.
func (c *call) dispatch() error {
	if e := c.req.jsonErr; e != nil {
		err := fail("rest_invalid_json")
		err.Data = &php.Array{}
		err.Data.SetString("json_error_code", int64(e.Code))
		err.Data.SetString("json_error_message", e.Message)
		return err
	}
	c.chooseServer()
	if !writes(c.req.method) {
		defer c.store.KeepConnection()()
	}
	if err := c.checkArgs(); err != nil {
		return err
	}
	c.chooseLanguage()
	if c.ep.allowed != nil {
		ok, err := c.ep.allowed(c)
		if err != nil {
			return err
		}
		if !ok {
			return c.forbidden()
		}
	}
	res, err := c.ep.handle(c)
	if writes(c.req.method) {
		c.forgetPosts()
		c.srv.writers.wrote(c.req.remoteAddr)
	}
	if err != nil {
		return err
	}
	return c.finish(res)
}

// forbidden is 401 for anonymous clients and 403 for known ones.
func (c *call) forbidden() *Error {
	e := fail("rest_forbidden")
	if c.user.ID == 0 {
		e.Status = http.StatusUnauthorized
	}
	return e
}

func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "OTHER"
}
