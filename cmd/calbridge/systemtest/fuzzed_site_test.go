package systemtest

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/logging"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/login"
	"calbridge/rest/metrics"
	"calbridge/rest/tribev1/edit"
	"calbridge/rest/wpauth"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/testdata"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// fuzzedSite is a separate site that receives a share of the requests, behind the handlers
// that the program puts in front of it.
type fuzzedSite struct {
	handler  http.Handler
	requests *fuzzedRequests
	seen     *api.Observation // of the last request
	// keepsNothing serves the same rows without caches; nil if handler has no caches either.
	keepsNothing http.Handler
}

var fuzzedLevels = []api.Compat{api.Exact, api.Safe, api.Fixed}

// openFuzzedSite opens the site of a shard: the sample calendar or a recorded one.
// Shards differ in how it is served.
func openFuzzedSite(t *testing.T, name string, seed, shard uint64, m *metrics.Metrics) *fuzzedSite {
	t.Helper()
	s := &fuzzedSite{requests: newFuzzedRequests(seed, shard)}
	s.requests.namespace = "calendar/events/v1"
	cfg := rest.Config{
		Namespace: s.requests.namespace,
		Settings: wpsite.Settings{
			RESTPrefix: "wp-json", Compat: fuzzedLevels[shard%3],
			Theme: wptext.TwentyTwentyFive(),
		},
		Limits:         rest.Limits{RequestTimeout: time.Minute, MaxBody: 1 << 20, MaxVars: 1000, MaxDepth: 64},
		Caching:        rest.Caching{SiteRefresh: time.Hour},
		Writing:        rest.Writing{Config: edit.Config{NoTrash: shard%4 == 3, Revisions: int(shard % 3)}},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Auth:           login.Config{ApplicationPasswords: "auto", Environment: "production", RecordUse: true},
		Logger:         slog.New(slog.DiscardHandler),
		Observe: func(o *api.Observation) {
			m.Requests.Answered(o)
			s.seen = o
		},
	}
	var db wptest.Database
	if name == "sample" {
		db, s.requests.logins = fuzzedSample(t)
	} else {
		db = wptest.SiteCopy(t, "sqlite", name)
		s.requests.logins, cfg.Auth.Keys = fuzzedDump(t, name)
	}
	cfg.Now = db.Now
	open := sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, db.DSN), Now: db.Now, FixedClock: true, Observe: m.Queries.Query}, Tables: table.Config{Prefix: db.TablePrefix}}
	if shard%2 == 0 {
		plain := cfg
		plain.Observe, plain.SiteRefresh, plain.Auth.RecordUse = nil, 0, false
		s.keepsNothing = httpserver.CloseAfterChunks(rest.New(openStore(t, db), plain))
		open.Tracker = invalidation.NewTracker()
	}
	store, err := sitedb.Open(t.Context(), open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if open.Tracker != nil {
		sync := cachesync.Start(cachesync.Config{Settings: settings.Cache{Mode: settings.CacheOwn, Size: 16 << 20}}, store, open.Tracker, m.Caches, cfg.Logger)
		t.Cleanup(sync.Close)
		site.UseCaches(&cfg, sync)
	}
	api := rest.New(store, cfg)
	t.Cleanup(api.Close)
	home, err := url.Parse(db.Home)
	if err != nil {
		t.Fatal(err)
	}
	s.requests.host = home.Host
	s.handler = httpserver.CloseAfterChunks(m.Requests.InFlight(logging.Mark(api)))
	s.readIndex(t)
	return s
}

// fuzzedSample loads the sample calendar with an application password for each user.
func fuzzedSample(t *testing.T) (wptest.Database, []fuzzedLogin) {
	t.Helper()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	db := wptest.Database{DSN: "sqlite:" + filepath.Join(t.TempDir(), "sample.db"), TablePrefix: "wp_", Home: "https://lipa.example", Now: func() time.Time { return now }}
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, db.DSN), CreateFile: true, Now: db.Now}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := sample.Load(t.Context(), store, sample.Options{Now: now, Home: db.Home}); err != nil {
		t.Fatal(err)
	}
	stored := sample.ApplicationPasswords(wpauth.FastHash("secret"), now.Unix())
	if _, err := store.SQL().Exec("INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT ID, '_application_passwords', ? FROM wp_users", stored); err != nil {
		t.Fatal(err)
	}
	var logins []fuzzedLogin
	for _, name := range []string{"demo", "eva", "jonas", "clara", "guest"} {
		logins = append(logins, fuzzedLogin{name: name, password: "secret"})
	}
	return db, logins
}

// fuzzedDump returns the users who may log in to a recorded site.
func fuzzedDump(t *testing.T, site string) ([]fuzzedLogin, wpauth.Keys) {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "sites", site+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var info struct {
		Users map[string]struct {
			ID            int
			Password      string `json:"application_password"`
			Cookie, Nonce string
		}
	}
	if err := json.Unmarshal(data, &info); err != nil {
		t.Fatal(err)
	}
	names := sortedKeys(info.Users)
	slices.SortStableFunc(names, func(a, b string) int { return info.Users[a].ID - info.Users[b].ID })
	var logins []fuzzedLogin
	for _, name := range names {
		u := info.Users[name]
		logins = append(logins, fuzzedLogin{name: name, password: u.Password, cookie: u.Cookie, nonce: u.Nonce})
	}
	k := siteKeys(t, site)
	return logins, wpauth.Keys{
		AuthKey: k["AUTH_KEY"], AuthSalt: k["AUTH_SALT"], SecureAuthKey: k["SECURE_AUTH_KEY"], SecureAuthSalt: k["SECURE_AUTH_SALT"],
		LoggedInKey: k["LOGGED_IN_KEY"], LoggedInSalt: k["LOGGED_IN_SALT"], NonceKey: k["NONCE_KEY"], NonceSalt: k["NONCE_SALT"],
	}
}

// ask sends a plain request as administrator for the values from which requests are built.
func (s *fuzzedSite) ask(t *testing.T, path string, into any) {
	t.Helper()
	g := s.requests
	req := httptest.NewRequest(http.MethodGet, "/wp-json/"+g.namespace+path, nil)
	req.RemoteAddr = "127.0.0.1:40000"
	req.Header.Set("X-Forwarded-Proto", "https")
	req.SetBasicAuth(g.logins[0].name, g.logins[0].password)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, req)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %v: %.300s", path, w.Code, err, w.Body)
	}
}

// readIndex reads the routes and arguments from the index, and the existing objects from the
// lists.
func (s *fuzzedSite) readIndex(t *testing.T) {
	t.Helper()
	g := s.requests
	var index struct {
		Routes map[string]struct {
			Endpoints []struct {
				Methods []string
				Args    json.RawMessage // [] if there are none
			}
		}
	}
	s.ask(t, "", &index)
	for _, pattern := range sortedKeys(index.Routes) {
		route := fuzzedRoute{pattern: strings.TrimPrefix(pattern, "/"+g.namespace)}
		route.collection, _, _ = strings.Cut(strings.TrimPrefix(route.pattern, "/"), "/")
		for _, e := range index.Routes[pattern].Endpoints {
			endpoint := fuzzedEndpoint{methods: e.Methods}
			var args map[string]struct {
				Type     string
				Items    any
				Required bool
				Enum     []string
			}
			if bytes.HasPrefix(e.Args, []byte("{")) {
				if err := json.Unmarshal(e.Args, &args); err != nil {
					t.Fatalf("arguments of %s: %v", pattern, err)
				}
			}
			for _, name := range sortedKeys(args) {
				a := args[name]
				if strings.HasPrefix(name, "language") && len(g.roots) == 0 {
					for _, code := range a.Enum {
						g.roots = append(g.roots, "/"+code)
					}
				}
				endpoint.args = append(endpoint.args, fuzzedArg{name: name, typ: a.Type, array: a.Items != nil, required: a.Required, enum: a.Enum})
			}
			route.endpoints = append(route.endpoints, endpoint)
		}
		g.routes = append(g.routes, route)
		if route.pattern == "/"+route.collection && route.collection != "doc" {
			s.readList(t, route.collection)
		}
	}
	g.roots = append(g.roots, "")
	if len(g.routes) < 10 || len(g.things) != 5 {
		t.Fatalf("%d routes, %d collections", len(g.routes), len(g.things))
	}
}

func (s *fuzzedSite) readList(t *testing.T, collection string) {
	t.Helper()
	query := "?per_page=50&hide_empty=0"
	if collection == "events" {
		query = "?per_page=50&start_date=2000-01-01&end_date=2100-01-01&status=publish,draft,private,pending,future,trash"
	}
	var list map[string]json.RawMessage
	s.ask(t, "/"+collection+query, &list)
	var things []struct {
		ID   int64
		Slug string
	}
	if err := json.Unmarshal(list[collection], &things); err != nil {
		t.Fatalf("%s: %v", collection, err)
	}
	for _, thing := range things {
		s.requests.things[collection] = append(s.requests.things[collection], fuzzedThing{thing.ID, thing.Slug})
	}
	if len(things) == 0 {
		t.Fatalf("the site has no %s", collection)
	}
}
