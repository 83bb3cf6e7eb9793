package systemtest

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

const benchmarkAPI = "/wp-json/calendar/events/v1"

// benchmarkServer serves a generated calendar of 10,000 events from MariaDB and counts the
// queries. All events are in one language or, if trilingual, a third in each of three. If
// indexed, events are found in the event index and rows come from memory. HEAD then renders
// each response, while GET would get a cached one.
func benchmarkServer(b *testing.B, trilingual, indexed bool) (server http.Handler, queries *int) {
	b.Helper()
	now := func() time.Time { return synthetic.Now }
	tracker := invalidation.NewTracker()
	store, err := sitedb.Open(b.Context(), sitedb.Config{
		Config: sqlconn.Config{Database: wptest.Address(b, wptest.MariaDB(b)), Now: now, Logger: slog.New(slog.DiscardHandler)},
		Tables: table.Config{Prefix: "wp_"},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	if err := store.CreateSchema(b.Context()); err != nil {
		b.Fatal(err)
	}
	wptest.Generate(b, store.SQL(), "wp_", 10000)
	if trilingual {
		if err := store.CreateLanguageSchema(b.Context()); err != nil {
			b.Fatal(err)
		}
		wptest.Translate(b, store.SQL(), "wp_")
		analyze(b, store, "icl_translations")
	}
	// A running server finds this out by itself within seconds.
	analyze(b, store, "posts", "postmeta", "tec_occurrences", "terms", "term_taxonomy", "term_relationships")
	queries = new(int)
	cfg := rest.Config{
		Namespace: "calendar/events/v1", Settings: wpsite.Settings{RESTPrefix: "wp-json", Compat: api.Safe, Theme: wptext.TwentyTwentyFive()},
		Limits:  rest.Limits{RequestTimeout: time.Minute, MaxBody: 8 << 20, MaxVars: 1000, MaxDepth: 64},
		Caching: rest.Caching{SiteRefresh: time.Hour},
		Now:     now,
		Logger:  slog.New(slog.DiscardHandler),
		Observe: func(o *api.Observation) { *queries += o.Queries },
	}
	if indexed {
		tracker.Resume(true)
		store.CacheRows(tracker, 64<<20)
		l := store.OpenIndex(b.Context(), tracker)
		wptest.AwaitRows(b, l)
		cfg.Tracker, cfg.CacheBytes, cfg.Settle = tracker, 1<<20, l.Refresh
	}
	api := rest.New(store, cfg)
	b.Cleanup(api.Close)
	return api, queries
}

func analyze(b *testing.B, store *sitedb.DB, tables ...string) {
	b.Helper()
	for _, table := range tables {
		rows, err := store.SQL().QueryContext(b.Context(), "ANALYZE TABLE "+store.Table(table))
		if err != nil {
			b.Fatal(err)
		}
		rows.Close()
	}
}

// measure requests one path repeatedly.
func measure(b *testing.B, server http.Handler, queries *int, path string) {
	b.ReportAllocs()
	measureMethod(b, server, queries, http.MethodGet, path)
}

func measureMethod(b *testing.B, server http.Handler, queries *int, method, path string) {
	*queries = 0
	status, size := 0, 0
	for b.Loop() {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		status, size = w.Code, w.Body.Len()
	}
	if status != http.StatusOK {
		b.Errorf("%s answered %d", path, status)
	}
	b.ReportMetric(float64(*queries)/float64(b.N), "queries/op")
	b.ReportMetric(float64(size), "bytes")
}

// BenchmarkServer measures whole requests, without the network, on a generated calendar in
// MariaDB. queries/op is the number of statements per request.
//
//	go test -run - -bench Server ./cmd/calbridge/systemtest
func BenchmarkServer(b *testing.B) {
	server, queries := benchmarkServer(b, false, false)
	for _, c := range []struct{ name, path string }{
		{"index", ""},
		{"doc", "/doc"},
		{"list1", "/events?per_page=1"},
		{"list10", "/events?per_page=10"},
		{"list50", "/events?per_page=50"},
		{"page100", "/events?per_page=10&page=100&start_date=2000-01-01&end_date=2100-01-01"},
		{"month", "/events?per_page=50&start_date=2026-12-01&end_date=2026-12-31"},
		{"category", "/events?per_page=10&categories=1"},
		{"venue", "/events?per_page=10&venue=1001"},
		{"search", "/events?per_page=10&search=koncert"},
		{"single", "/events/10001"},
		{"venues", "/venues?per_page=10"},
		{"categories", "/categories?per_page=10"},
	} {
		b.Run(c.name, func(b *testing.B) { measure(b, server, queries, benchmarkAPI+c.path) })
	}
}

// BenchmarkLanguages compares lists of a calendar in one language with lists of a calendar that
// has as many events in each of three languages. A request with the language parameter costs more
// than one to the root of that language, because its total is that of another language.
//
// It measures with the database only, and with the default caches. one-ms is the time of the
// monolingual list. The other figures are multiples of it. more-queries is the largest number
// of additional statements. The requests alternate, and only the fastest tenth of each counts,
// so that other load on the machine does not affect the result.
//
//	go test -run - -bench Languages -benchtime 2s ./cmd/calbridge/systemtest
func BenchmarkLanguages(b *testing.B) {
	b.Run("database", func(b *testing.B) { benchmarkLanguages(b, false) })
	b.Run("memory", func(b *testing.B) { benchmarkLanguages(b, true) })
}

func benchmarkLanguages(b *testing.B, indexed bool) {
	method := http.MethodGet
	if indexed {
		method = http.MethodHead
	}
	one, oneQueries := benchmarkServer(b, false, indexed)
	three, threeQueries := benchmarkServer(b, true, indexed)
	for _, c := range []struct{ name, path string }{
		{"list1", "/events?per_page=1"},
		{"list10", "/events?per_page=10"},
		{"list50", "/events?per_page=50"},
		{"page100", "/events?per_page=10&page=100&start_date=2000-01-01&end_date=2100-01-01"},
		{"month", "/events?per_page=50&start_date=2026-12-01&end_date=2026-12-31"},
		{"category", "/events?per_page=10&categories=1"},
		{"search", "/events?per_page=10&search=koncert"},
	} {
		b.Run(c.name, func(b *testing.B) {
			compareTimes(b, method, []compared{
				{name: "one", server: one, queries: oneQueries, path: benchmarkAPI + c.path},
				{name: "root", server: three, queries: threeQueries, path: benchmarkAPI + c.path},
				{name: "root_en", server: three, queries: threeQueries, path: "/en" + benchmarkAPI + c.path},
				{name: "parameter", server: three, queries: threeQueries, path: benchmarkAPI + c.path + "&language_code=en"},
			})
		})
	}
}

// compared is a request whose time is compared with that of others.
type compared struct {
	name    string
	server  http.Handler
	queries *int
	path    string

	took  []time.Duration
	asked int // statements
}

func (c *compared) ask(b *testing.B, method string) {
	*c.queries = 0
	w := httptest.NewRecorder()
	began := time.Now()
	c.server.ServeHTTP(w, httptest.NewRequest(method, c.path, nil))
	c.took = append(c.took, time.Since(began))
	if c.asked += *c.queries; w.Code != http.StatusOK {
		b.Fatalf("%s answered %d: %.300s", c.path, w.Code, w.Body)
	}
}

// time returns the time that the fastest tenth of the requests took at most.
func (c *compared) time() float64 {
	slices.Sort(c.took)
	return float64(c.took[len(c.took)/10])
}

// compareTimes reports how much longer the other requests take than the first.
func compareTimes(b *testing.B, method string, requests []compared) {
	rounds, more := 0, 0
	for i := range requests { // fills the caches
		requests[i].ask(b, method)
		requests[i].took, requests[i].asked = nil, 0
	}
	for b.Loop() {
		for i := range requests {
			requests[(rounds+i)%len(requests)].ask(b, method)
		}
		rounds++
	}
	first := requests[0].time()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(first/1e6, "one-ms")
	for _, c := range requests[1:] {
		b.ReportMetric(c.time()/first, c.name)
		more = max(more, c.asked-requests[0].asked)
	}
	b.ReportMetric(float64(more)/float64(rounds), "more-queries")
}
