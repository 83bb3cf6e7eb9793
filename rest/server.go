package rest

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/apipage"
	"calbridge/rest/calfeed"
	eventchanges "calbridge/rest/changes"
	"calbridge/rest/changes/stream"
	"calbridge/rest/export"
	"calbridge/rest/login"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/rest/picture"
	"calbridge/rest/respcache"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/edit"
	"calbridge/rest/tribev1/openapi"
	"calbridge/rest/tribev1/read"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

// Server serves the REST namespace. It is safe for concurrent use and has no state except caches.
type Server struct {
	cfg     Config
	store   *sitedb.DB
	limits  api.Limits
	bodies  *api.Bodies
	proxies *proxyWatch
	words   *api.Wording // while the site is unknown

	site     *wpsite.Builder
	plain    *wpsite.Builder // of the site that answers plain GETs; nil if it is the same
	sites    *siteCache
	dialects []wprest.Dialect
	writes   map[wprest.Operation]edit.Handler // of The Events Calendar's API
	exporter export.Handler
	streams  *stream.Hub

	door    respcache.Reader
	shared  *respcache.Sender
	login   *login.Authenticator
	writers *writers

	pictures *picture.Source
	buffers  phpjson.Buffers
	render   *render.Shared
}

// New returns a Server over store. It reads nothing yet.
func New(store *sitedb.DB, cfg Config) *Server {
	s := &Server{
		cfg: cfg, store: store,
		limits:   api.Limits{Body: cfg.MaxBody, Form: phpform.Limits{MaxVars: cfg.MaxVars, MaxDepth: cfg.MaxDepth}},
		words:    api.NewWording(cfg.Profile, "en", cfg.Language.Packs),
		shared:   respcache.NewSender(cfg.CacheControl),
		writers:  &writers{now: time.Now, expiry: store.ReplicaMaxLag() + writeMargin},
		pictures: picture.NewSource(cfg.Fetch, cfg.UploadsDir, cfg.PictureMemory, cfg.ReadOnly, cfg.Logger),
	}
	s.bodies = api.NewBodies(s.limits)
	s.proxies = &proxyWatch{trusted: cfg.TrustedProxies, logger: cfg.Logger}
	s.render = render.NewShared(cfg.Namespace, cfg.RenderCache, &s.buffers)
	s.streams = stream.NewHub(stream.Config{
		Most: cfg.Changes.MaxStreams, MostOfAddress: cfg.Changes.MaxStreamsPerClient, Heartbeat: heartbeat, Observer: cfg.Changes.Observer, Logger: cfg.Logger, Guard: cfg.Guard,
	})
	s.writes = edit.Handlers(s.render, cfg.Writing.Config)
	s.dialects = append([]wprest.Dialect{tribev1.Dialect(cfg.Namespace, s.newHandlers())}, cfg.Dialects...)
	s.exporter = export.NewHandler(s.render)
	s.site = wpsite.NewBuilder(&s.cfg.Settings)
	if cfg.ReadCompat != "" && cfg.ReadCompat != cfg.Compat {
		settings := cfg.Settings
		settings.Compat = cfg.ReadCompat
		s.plain = wpsite.NewBuilder(&settings)
	}
	s.sites = newSiteCache(&s.cfg, s.loadSite)
	s.sites.mayServeStale = store.HasReplica
	s.login = s.newLogin(cfg.aging(time.Now))
	s.door = respcache.Reader{
		Tracker: cfg.Tracker, CatchUp: cfg.CatchUp, CatchUpOwn: cfg.CatchUpOwn, Own: func(r *http.Request) bool { return cfg.OwnWrites > 0 && hasWritten(r) }, Settle: cfg.Settle, Client: s.client, Cookies: s.sites.cookies, Now: cfg.Now, Logger: cfg.Logger,
	}
	if cfg.Tracker != nil && cfg.CacheBytes > 0 {
		s.door.Cache = respcache.New(cfg.Tracker, cfg.CacheBytes, cfg.Guard)
	}
	return s
}

func (s *Server) newLogin(aging invalidation.Aging) *login.Authenticator {
	cfg := s.cfg.Auth
	cfg.RecordUse = cfg.RecordUse && !s.cfg.ReadOnly
	if s.cfg.Compat.Exact() {
		cfg.FreeFailures = 0
	}
	return login.NewAuthenticator(cfg, login.Options{Store: s.store, Logger: s.cfg.Logger, Guard: s.cfg.Guard, Aging: aging})
}

// heartbeat is the longest time without a message in a stream: proxies close connections that are
// silent for longer.
const heartbeat = 10 * time.Second

// Streams returns the hub of open event streams, so that the caller can shut them down.
func (s *Server) Streams() *stream.Hub { return s.streams }

// Close stops background work and waits for it.
func (s *Server) Close() {
	s.streams.Close()
	s.login.Close()
	if s.door.Cache != nil {
		s.door.Cache.Close()
	}
}

// newHandlers returns the reading handlers of The Events Calendar's API.
func (s *Server) newHandlers() wprest.Handlers {
	h := read.Handlers(s.render)
	if cmp.Or(s.cfg.ReadCompat, s.cfg.Compat).Fixed() { // known difference F6
		h[tribev1.Document.Of("")] = openapi.Handle
	}
	if s.cfg.Extensions && !s.cfg.Compat.Exact() {
		h[tribev1.OpenAPI.Of("")] = openapi.HandleFile
		maps.Copy(h, calfeed.Handlers(s.render, s.cfg.Described))
		maps.Copy(h, apipage.Handlers())
		maps.Copy(h, eventchanges.Handlers(eventchanges.Config{
			Journal: s.cfg.Changes.Journal, Lacks: s.cfg.Changes.Lacks, Store: s.store, Stores: storesOf, Render: s.render, Site: s.currentSite,
			Streams: s.streams, Timeout: s.cfg.RequestTimeout, Now: s.cfg.Now, Gone: s.cfg.Changes.Gone,
		}))
	}
	return h
}

// currentSite returns the site once the tracker has all changes up to now.
func (s *Server) currentSite(ctx context.Context, store *sitedb.Session) (*wpsite.Site, error) {
	live, err := s.sites.get(ctx, store, true)
	if err != nil {
		return nil, err
	}
	return live.Site, nil
}

// About describes a site.
type About struct {
	Name, Home string
	// Calendar reports whether the API has routes. Public reports that search engines may index the site.
	Calendar, Public bool
}

// About describes the site as its options are now.
func (s *Server) About(ctx context.Context) (About, error) {
	live, err := s.sites.get(ctx, s.store.Session(nil), false)
	if err != nil {
		return About{}, err
	}
	return About{Name: live.Facts.Raw["blogname"], Home: live.Home, Calendar: !live.APIDisabled(), Public: live.Facts.Raw["blog_public"] != "0"}, nil
}

// client returns the client's address, and whether it came over HTTPS.
func (s *Server) client(r *http.Request) (addr string, https bool) {
	return api.ClientIP(r, s.cfg.TrustedProxies)
}

// CacheSize returns the number of cached responses, their weight in bytes, and how many were
// evicted for lack of room.
func (s *Server) CacheSize() (count int, bytes, evicted uint64) {
	if s.door.Cache == nil {
		return 0, 0, 0
	}
	count, bytes = s.door.Cache.Size()
	return count, bytes, s.door.Cache.Evicted()
}

// RenderedBytes returns the memory of the caches of rendering.
func (s *Server) RenderedBytes() uint64 { return s.render.Bytes() }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := s.respond(w, r)
	defer a.Close()
	a.Send(w)
}

// Answer returns the response to a request, for a caller that may send another one instead. Of w it
// uses only the connection, to bound the time in which the request's body arrives.
func (s *Server) Answer(w http.ResponseWriter, r *http.Request) api.Answered {
	a := s.respond(w, r)
	return &a
}

// Refuse sends an error of the table, in English or the profile's words, without reading the
// request.
func (s *Server) Refuse(w http.ResponseWriter, r *http.Request, code string) {
	e := api.Fail(code)
	res := bareError(e, s.words)
	res.Header.Set("X-Content-Type-Options", "nosniff")
	res.Header.Set("Cache-Control", "no-store")
	_, _ = s.send(w, r, res, nil, storing{})
}

func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "OTHER"
}
