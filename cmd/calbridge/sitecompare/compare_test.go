package sitecompare_test

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/demo"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sitecompare"
	"calbridge/i18n"
	"calbridge/rest/metrics"
	"calbridge/rest/rollout"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// began is the time of all sample sites, so that they have the same dates.
var began = time.Now()

// sampleSite serves the sample calendar, which is a site with WPML in three languages, as
// --compat exact answers.
func sampleSite(t *testing.T, more ...string) (http.Handler, sitecompare.Config) {
	t.Helper()
	const home = "https://lipa.example"
	file := filepath.Join(t.TempDir(), "sample.db")
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file), CreateFile: true}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	password, err := demo.Load(t.Context(), db, began, home)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := settings.Read(&cmdline.Process{Getenv: func(string) string { return "" }}, settings.Command{Name: "serve", Args: append([]string{
		"--dsn", "sqlite:" + file, "--compat", "exact", "--cache", "off", "--record-password-use=false", "--listen", "127.0.0.1:0", "--ops-listen", "off",
	}, more...)})
	if err != nil {
		t.Fatal(err)
	}
	m := metrics.New(metrics.Build{}, metrics.Values{})
	served, err := site.Open(t.Context(), s, slog.New(slog.DiscardHandler), m)
	if err != nil {
		t.Fatal(err)
	}
	live := site.NewLive(served, slog.New(slog.DiscardHandler), m)
	t.Cleanup(func() { live.Close() })
	facts, err := served.Store.Session(nil).Options.SiteFacts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return live, sitecompare.Config{
		Ours: live, Upstream: rollout.Upstream{Timeout: time.Minute}, Now: time.Now, Login: &sitecompare.Login{User: demo.User, Password: password},
		Site: sitecompare.Site{Home: home, Permalinks: facts.PermalinkStructure, RESTPrefix: "wp-json", Namespace: s.API.Namespace, LanguageParam: "language_code", Languages: facts.Languages},
	}
}

// change changes an answer of the stand-in.
type change func(r *http.Request, answer *httptest.ResponseRecorder)

// standIn starts a stand-in for WordPress, which changes calbridge's own responses.
func standIn(t *testing.T, handler http.Handler, c change) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions {
			t.Errorf("%s %s: the comparison may only read", r.Method, r.URL)
		}
		if r.Header.Get(rollout.Marker) == "" || r.Host != "lipa.example" {
			t.Errorf("%s: marker %q, host %q", r.URL, r.Header.Get(rollout.Marker), r.Host)
		}
		r.Header.Del(rollout.Marker)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		if c != nil {
			c(r, answer)
		}
		for name, values := range answer.Header() {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// body replaces what a pattern matches in the bodies.
func body(pattern, with string) change { return bodyOf("", pattern, with) }

// bodyOf does so where the path matches too.
func bodyOf(path, pattern, with string) change {
	match, where := regexp.MustCompile(pattern), regexp.MustCompile(path)
	return func(r *http.Request, answer *httptest.ResponseRecorder) {
		if where.MatchString(r.URL.RequestURI()) {
			text := match.ReplaceAllString(answer.Body.String(), with)
			answer.Body.Reset()
			answer.Body.WriteString(text)
		}
	}
}

// refuse answers what is well with an error.
func refuse(path string, status int, code string) change {
	where := regexp.MustCompile(path)
	return func(r *http.Request, answer *httptest.ResponseRecorder) {
		if where.MatchString(r.URL.RequestURI()) && answer.Code == http.StatusOK && r.Method == http.MethodGet {
			answer.Code = status
			answer.Body.Reset()
			answer.Body.WriteString(`{"code":"` + code + `","message":"No.","data":{"status":` + strconv.Itoa(status) + `}}`)
		}
	}
}

func header(name, value string) change {
	return func(_ *http.Request, answer *httptest.ResponseRecorder) { answer.Header().Set(name, value) }
}

// TestSigns: a stand-in that differs in one way is told by its sign.
func TestSigns(t *testing.T) {
	if testing.Short() {
		t.Skip("compares many sites, one like the other")
	}
	handler, config := sampleSite(t)
	handler = remembered(handler)
	config.Ours, config.Site.Languages = handler, i18n.Languages{}
	more := strings.Repeat(`{"id":999999},`, 60)
	for sign, c := range map[string]change{
		"api-off":               refuse(`.`, 404, "rest_no_route"),
		"closed":                refuse(`/events/\d`, 401, "rest_forbidden"),
		"server-error":          refuse(`/venues`, 500, "internal_server_error"),
		"unknown-id":            func(_ *http.Request, a *httptest.ResponseRecorder) { unknownID(a) },
		"application-passwords": func(r *http.Request, a *httptest.ResponseRecorder) { onlyLogin(r, a) },
		"cors":                  header("Access-Control-Allow-Origin", "*"),
		"allow":                 header("Allow", "GET, POST, PUT, PATCH, DELETE"),
		"cache-control":         header("Cache-Control", "no-cache, must-revalidate, max-age=0"),
		"address":               header("Link", `<https://other.example/api/>; rel="https://api.w.org/"`),
		"extra-header":          header("X-Plugin", "1"),
		"page-cap":              bodyOf(`per_page=100`, `"(events|venues|organizers)":\[\{`, `"$1":[`+more+`{`),
		"hidden-entries":        bodyOf(`/events\?`, `"events":\[\{"id":`, `"events":[{"id":9`),
		"totals":                body(`"total":(\d+)`, `"total":1$1`),
		"term-order":            reversed("categories"),
		"event-tickets":         bodyOf(`/events`, `("custom_fields":(\[\]|\{[^{}]*\}))`, `$1,"ticketed":false`),
		"cost":                  body(`"cost":"([^"]*\d)`, `"cost":"&#x24;$1`),
		"custom-fields":         body(`,"custom_fields":(\[\]|\{[^{}]*\})`, ``),
		"target-hints":          body(`,"targetHints":\{"allow":\[[^\]]*\]\}`, ``),
		"password-argument":     body(`,"password":\{[^{}]*\}`, ``),
		"offset":                body(`("startDate":"[^"]*)\+0[12]:00"`, `$1+03:00"`),
		"uploads":               body(`wp-content\\/uploads`, `media`),
		"charset":               body(`\\u011b`, `\u00c4\u203a`),
		"texturize":             body(`("(title|venue|organizer)":")`, `$1&#8222;`),
		"excerpt-more":          body(`("description":"[^"<>]*)("[,}])`, `$1 [&amp;hellip;]$2`),
		"theme":                 body(`("description":"<p[^>]*>)`, `$1<figure class=\"wp-caption\">`),
		"layout":                body(`("description":"<p[^>]*>)`, `$1<div class=\"wp-container-1 is-layout-flow\">`),
		"wordpress-paragraphs":  body(`<p class=\\"wp-block-paragraph\\">`, `<p>`),
		"wording":               body(`"message":"`, `"message":"Zpráva: `),
		"links":                 body(`\\/event\\/`, `\/termin\/`),
		"custom-field":          body(`("custom_fields":(\[\]|\{[^{}]*\}))`, `$1,"_ecp_custom_2":"x"`),
		"removed-field":         body(`,"sticky":(true|false)`, ``),
		"contents":              body(`("description":"<p[^>]*>)`, `$1<i>Share this<\/i>`),
		"titles":                bodyOf(`/events`, `"title":"`, `"title":"A `),
		"web-page":              page(`/venues`),
		"status":                refuse(`/tags`, 418, "teapot"),
		"order":                 reversed("events"),
		"broken-json":           body(`^\{`, "Warning: headers {"),
		"header":                header("Content-Type", "application/json"),
		"www-authenticate":      header("Www-Authenticate", "Basic"),
		"no-answer":             func(r *http.Request, _ *httptest.ResponseRecorder) { abort(r, "/doc") },
		"linked-entries":        body(`("organizer":\[\{"id":)`, `${1}9`),
		"smilies":               body(`("description":"<p[^>]*>)`, `$1<img class=\"wp-smiley\">`),
		"protected-title":       body(`("@type":"Event","name":")`, `${1}Protected: `),
	} {
		// Under the race detector some suffice: signs differ in texts, not in what runs at a time.
		if testing.Short() && !slices.Contains([]string{"closed", "wording", "no-answer", "order"}, sign) {
			continue
		}
		t.Run(sign, func(t *testing.T) {
			cfg := config
			cfg.Upstream.URL = standIn(t, handler, c)
			result := sitecompare.Compare(t.Context(), cfg)
			if result.Problem != "" || len(result.Groups) == 0 {
				t.Fatalf("problem %q, %d of %d identical", result.Problem, result.Identical, result.Requests)
			}
			if !slices.ContainsFunc(result.Suggestions, func(s sitecompare.Suggestion) bool { return s.Sign == sign && s.Suggests != "" && s.Look != "" }) {
				var text strings.Builder
				result.WriteText(&text)
				t.Errorf("%+v\n%.3000s", result.Suggestions, text.String())
			}
			f := result.Finding()
			if f.Status != check.StatusWarn || f.Advice == "" {
				t.Errorf("finding %+v", f)
			}
		})
	}
}

// remembered answers each request once, and then from memory.
func remembered(handler http.Handler) http.Handler {
	var mu sync.Mutex
	answers := map[string]*httptest.ResponseRecorder{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := strings.Join([]string{r.Method, r.RequestURI, r.Header.Get("Authorization"), r.Header.Get("Origin")}, " ")
		mu.Lock()
		defer mu.Unlock()
		if answers[key] == nil {
			answers[key] = httptest.NewRecorder()
			handler.ServeHTTP(answers[key], r)
		}
		maps.Copy(w.Header(), answers[key].Header())
		w.WriteHeader(answers[key].Code)
		_, _ = w.Write(answers[key].Body.Bytes())
	})
}

// abort closes the connection of a request for the path without an answer.
func abort(r *http.Request, path string) {
	if strings.HasSuffix(r.URL.Path, path) {
		panic(http.ErrAbortHandler)
	}
}

// unknownID changes a response to that of The Events Calendar before 6.17.2.
func unknownID(a *httptest.ResponseRecorder) {
	if a.Code == http.StatusNotFound && strings.Contains(a.Body.String(), "not-found") {
		a.Code = http.StatusBadRequest
		a.Body.Reset()
		a.Body.WriteString(`{"code":"rest_invalid_param","message":"Invalid parameter(s): id"}`)
	}
}

func onlyLogin(r *http.Request, a *httptest.ResponseRecorder) {
	if r.Header.Get("Authorization") != "" {
		refuse(`.`, 401, "rest_not_logged_in")(r, a)
	}
}

// page answers with HTML.
func page(path string) change {
	where := regexp.MustCompile(path)
	return func(r *http.Request, answer *httptest.ResponseRecorder) {
		if where.MatchString(r.URL.RequestURI()) {
			answer.Header().Set("Content-Type", "text/html; charset=UTF-8")
			answer.Body.Reset()
			answer.Body.WriteString("<!DOCTYPE html><title>Soon</title>")
		}
	}
}

// reversed turns a list around.
func reversed(list string) change {
	items := regexp.MustCompile(`(?s)^(\{(?:"[a-z_]+":(?:"[^"]*"|\d+),)*"` + list + `":\[)(.*)(\](?:,"[a-z_]+":[^\]]*)?\})$`)
	return func(r *http.Request, answer *httptest.ResponseRecorder) {
		parts := items.FindStringSubmatch(answer.Body.String())
		if parts == nil || !strings.Contains(r.URL.Path, "/"+list) {
			return
		}
		entries := strings.Split(parts[2], `},{"id":`)
		last := len(entries) - 1
		entries[0] = strings.TrimPrefix(entries[0], `{"id":`)
		entries[last] = strings.TrimSuffix(entries[last], "}")
		slices.Reverse(entries)
		answer.Body.Reset()
		answer.Body.WriteString(parts[1] + `{"id":` + strings.Join(entries, `},{"id":`) + "}" + parts[3])
	}
}

// TestIdentical: a stand-in that answers alike is ok, and enough is asked of it.
func TestIdentical(t *testing.T) {
	handler, cfg := sampleSite(t)
	cfg.Upstream.URL = standIn(t, handler, nil)
	last := 0
	cfg.Progress = func(done, total int) {
		if done != last+1 || total < done {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}
	result := sitecompare.Compare(t.Context(), cfg)
	var text strings.Builder
	result.WriteText(&text)
	if result.Problem != "" || result.Identical != result.Requests || result.Requests < 90 || result.Requests > 250 || last != result.Requests {
		t.Errorf("problem %q, %d of %d identical\n%.3000s", result.Problem, result.Identical, result.Requests, text.String())
	}
	t.Logf("%d requests", result.Requests)
	f := result.Finding()
	if f.Status != check.StatusOK || f.Advice != "" || !strings.Contains(f.Found, strconv.Itoa(result.Requests)+" of "+strconv.Itoa(result.Requests)) {
		t.Errorf("finding %+v", f)
	}
	if report := result.Report(); report.Same != result.Requests || report.Different != 0 {
		t.Errorf("report %+v", report.Counts)
	}
}

// TestChangedBetween: a write between the two answers is no difference.
func TestChangedBetween(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the race detector finds nothing in a single goroutine")
	}
	handler, cfg := sampleSite(t)
	seen := map[string]bool{}
	var first change = func(r *http.Request, a *httptest.ResponseRecorder) {
		if key := r.Method + r.RequestURI + r.Header.Get("Authorization") + r.Header.Get("Origin"); strings.Contains(r.RequestURI, "/venues") && !seen[key] {
			seen[key] = true
			a.Body.WriteString(" ")
		}
	}
	cfg.Upstream.URL = standIn(t, handler, locked(first))
	if result := sitecompare.Compare(t.Context(), cfg); result.Problem != "" || result.Identical != result.Requests {
		t.Errorf("problem %q, %d of %d identical", result.Problem, result.Identical, result.Requests)
	}
}

// locked lets one request change its answer at a time.
func locked(c change) change {
	turn := make(chan struct{}, 1)
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		turn <- struct{}{}
		defer func() { <-turn }()
		c(r, a)
	}
}

// TestBadUpstreams: what is no WordPress of this site is one clear sentence.
func TestBadUpstreams(t *testing.T) {
	handler, config := sampleSite(t)
	answering := func(h http.HandlerFunc) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	}
	closed := httptest.NewServer(handler)
	closed.Close()
	hanging := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	requests := 0
	for name, c := range map[string]struct{ url, want string }{
		"hangs": {answering(hanging), "no answer within 100ms"},
		"loop":  {answering(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusLoopDetected) }), "leads back to calbridge"},
		"page":  {answering(page200), "web page"},
		"fails": {answering(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }), "fails: it answers the API's index with status 500"},
		"redirects": {answering(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://other.example/", http.StatusMovedPermanently)
		}), "--upstream-host"},
		"away":    {closed.URL, "cannot be reached"},
		"endless": {answering(endless), "longer than 16 MiB"},
		"no URL":  {"nonsense", "is not an address"},
		"hangs later": {standIn(t, handler, locked(func(r *http.Request, _ *httptest.ResponseRecorder) {
			if requests++; requests > 20 {
				<-r.Context().Done()
			}
		})), "has stopped responding"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := config
			cfg.Upstream.URL = c.url
			if strings.HasPrefix(name, "hangs") {
				cfg.Upstream.Timeout = 100 * time.Millisecond
			}
			if name == "hangs later" {
				cfg.Upstream.Timeout = 2 * time.Second
			}
			result := sitecompare.Compare(t.Context(), cfg)
			f := result.Finding()
			if !strings.Contains(result.Problem, c.want) || f.Status != check.StatusWarn || !strings.HasPrefix(f.Found, result.Problem) {
				t.Errorf("%q, finding %+v", result.Problem, f)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cfg := config
	cfg.Upstream.URL = standIn(t, handler, nil)
	cfg.Progress = func(done, _ int) {
		if done == 5 {
			cancel()
		}
	}
	if result := sitecompare.Compare(ctx, cfg); !strings.Contains(result.Problem, "interrupted") || result.Requests >= 90 {
		t.Errorf("%q after %d requests", result.Problem, result.Requests)
	}
}

func page200(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte("<html>"))
}

func endless(w http.ResponseWriter, r *http.Request) {
	for chunk := make([]byte, 1<<20); r.Context().Err() == nil; {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}
