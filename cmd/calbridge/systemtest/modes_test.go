package systemtest

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/rollout"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

const modesNow = "2026-11-21T12:00:00Z"

// reference stands in for WordPress. It is the API without a rollout on the same database and
// clock. Its responses can be broken on demand.
type reference struct {
	*httptest.Server
	asked  atomic.Int64
	broken atomic.Pointer[[2]string] // old and new text of bodies
	hides  atomic.Pointer[string]    // the path of an event that WordPress doesn't find, as of a file that a plugin reads
	counts atomic.Pointer[sql.DB]    // of an event's views, in its metadata
	plugin atomic.Pointer[standInPlugin]
	api    http.Handler
	takes  atomic.Int64  // nanoseconds that each response takes longer
	dead   atomic.Bool   // connections are closed without a response
	hangs  chan struct{} // requests hang until it is closed, unless it is nil
}

func newReference(t *testing.T, cfg sitedb.Config) *reference {
	t.Helper()
	at, err := time.Parse(time.RFC3339, modesNow)
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return at }
	cfg.Tables.Prefix, cfg.Now, cfg.FixedClock, cfg.Logger = "wp_", now, true, slog.New(slog.DiscardHandler)
	store, err := sitedb.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	api := rest.New(store, rest.Config{
		Namespace: "calendar/events/v1", Settings: wpsite.Settings{RESTPrefix: "wp-json", Compat: api.Exact, Theme: wptext.TwentyTwentyFive()},
		Limits:         rest.Limits{RequestTimeout: time.Minute, MaxBody: 8 << 20, MaxVars: 1000, MaxDepth: 64},
		Writing:        rest.Writing{ReadOnly: true},
		Now:            now,
		Logger:         slog.New(slog.DiscardHandler),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})
	t.Cleanup(api.Close)
	ref := &reference{api: api}
	ref.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ref.asked.Add(1)
		if ref.hangs != nil {
			<-ref.hangs
		}
		time.Sleep(time.Duration(ref.takes.Load()))
		if ref.dead.Load() {
			panic(http.ErrAbortHandler)
		}
		status, header, body := ref.respond(r)
		if db := ref.counts.Load(); db != nil {
			if _, err := db.Exec("UPDATE wp_postmeta SET meta_value = meta_value + 1 WHERE meta_key = 'post_views' AND post_id = ?", path.Base(r.URL.Path)); err != nil {
				t.Error(err)
			}
		}
		for name, values := range header {
			w.Header()[name] = values
		}
		w.Header().Set("X-Powered-By", "PHP/8.2")
		w.Header().Del("Content-Length")
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}))
	t.Cleanup(ref.Close)
	return ref
}

// respond returns WordPress's response to a request.
func (ref *reference) respond(r *http.Request) (status int, header http.Header, body []byte) {
	plugin := ref.plugin.Load()
	if plugin != nil && plugin.request != nil {
		plugin.request(r)
	}
	rec := httptest.NewRecorder()
	ref.api.ServeHTTP(rec, r)
	status, body = rec.Code, rec.Body.Bytes()
	if hidden := ref.hides.Load(); hidden != nil && strings.HasSuffix(r.URL.Path, *hidden) {
		status, body = http.StatusNotFound, []byte(`{"code":"hidden"}`)
	}
	if change := ref.broken.Load(); change != nil {
		body = bytes.ReplaceAll(body, []byte(change[0]), []byte(change[1]))
	}
	if plugin != nil && plugin.response != nil {
		status, body = plugin.response(r, status, body)
	}
	return status, rec.Header(), body
}

// standInPlugin is a plugin of a reference: it changes which rows a request reads, or the response.
type standInPlugin struct {
	request  func(*http.Request)
	response func(r *http.Request, status int, body []byte) (int, []byte)
}

// TestDiffModes compares both sides. It checks that nothing differs until one side is broken,
// and that the difference is then counted, logged and recorded, and that the recording can be
// replayed.
func TestDiffModes(t *testing.T) {
	file := sampleFile(t)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}})
	for _, mode := range []string{"diff-native", "diff-proxy"} {
		t.Run(mode, func(t *testing.T) {
			ref.broken.Store(nil)
			journal := filepath.Join(t.TempDir(), "differences.jsonl")
			s := start(t, nil, "serve", "--dsn", "sqlite:"+file, "--clock", modesNow, "--mode", mode, "--upstream", ref.URL, "--compare-log", journal, "--compat", "exact")
			ask := func(path string) *http.Response {
				t.Helper()
				resp, _ := fetch(t, s.api+path, "X-Forwarded-Proto", "https", "X-Forwarded-For", "203.0.113.9", "Cookie", "session=geheim")
				return resp
			}
			base := "/wp-json/calendar/events/v1"
			paths := []string{base, base + "/events?per_page=5", base + "/venues", base + "/organizers", base + "/categories?hide_empty=0", base + "/tags", base + "/doc",
				"/en" + base + "/events", base + "/events?search=%C5%BElu&page=1", base + "/events?page=x", base + "/nothing", "/?rest_route=/calendar/events/v1/events/1", base + "/events?_jsonp=f"}
			for _, path := range paths {
				resp := ask(path)
				if byThem := resp.Header.Get("X-Powered-By") != ""; byThem != (mode == "diff-proxy") {
					t.Errorf("%s: answered by WordPress: %v", path, byThem)
				}
			}
			done := func() (n float64) {
				_, body := fetch(t, s.ops+"/metrics")
				for line := range strings.Lines(body) {
					if strings.HasPrefix(line, "calbridge_comparisons_total{") {
						var one float64
						_, _ = fmt.Sscan(line[strings.LastIndex(line, " ")+1:], &one)
						if one > 0 && !strings.Contains(line, `outcome="same"`) {
							t.Errorf("%s%s", line, s.stderr)
						}
						n += one
					}
				}
				return n
			}
			waitFor(t, func() bool { return done() >= float64(len(paths)) })

			ref.broken.Store(&[2]string{`"sticky":false`, `"sticky":"no"`})
			ask(base + "/events?per_page=2")
			s.awaitMetric(`calbridge_comparison_differences_total{kind="schema",route="/events"}`, 1)
			s.awaitMetric(`calbridge_comparisons_total{outcome="different",route="/events"}`, 1)
			waitFor(t, func() bool { return strings.Contains(s.stderr.String(), "answers differ") })
			if !strings.Contains(s.stderr.String(), "$.events[0].sticky") {
				t.Errorf("the log does not tell where:\n%s", s.stderr)
			}
			if text := s.streamed(`"fields":[{`); !strings.Contains(text, `"name":"$.events[].sticky","kind":"schema"`) {
				t.Errorf("the console does not tell where: %s", text)
			}
			data, err := os.ReadFile(journal)
			if err != nil || strings.Contains(string(data), "geheim") || strings.Contains(string(data), "203.0.113.9") || !strings.Contains(string(data), "lipa.example") {
				t.Errorf("%v, the recording: %.3000s", err, data)
			}
			// Recordings have no credentials, so the first request can't be replayed; the
			// second can.
			anonymous := base + "/events?per_page=3"
			fetch(t, s.api+anonymous)
			s.awaitMetric(`calbridge_comparisons_total{outcome="different",route="/events"}`, 2)
			other := start(t, nil, "serve", "--dsn", "sqlite:"+file, "--clock", modesNow, "--compat", "exact")
			code, out, stderr := once(t, nil, "compare", "--target", other.api, "--recordings", journal)
			if code != cmdline.Failed || !strings.Contains(out, "$.events[0].sticky") {
				t.Errorf("replayed here: %d\n%s%s", code, out, stderr)
			}
			if code, out, _ := once(t, nil, "compare", "--target", ref.URL, "--recordings", journal); code != cmdline.OK {
				t.Errorf("replayed there: %d\n%s", code, out)
			}
		})
	}
}

// TestModeReload goes through a whole rollout and back without a restart.
func TestModeReload(t *testing.T) {
	file := sampleFile(t)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}})
	config := filepath.Join(t.TempDir(), "conf")
	put := func(lines ...string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(strings.Join(append(lines, "upstream = "+ref.URL), "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("mode = proxy")
	c := spawn(t, nil, "serve", "--dsn", "sqlite:"+file, "--clock", modesNow, "--config", config)
	byThem := func() (n int) {
		for i := range 100 {
			resp, _ := fetch(t, c.api+"/wp-json/calendar/events/v1/tags?per_page=1", "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
			if resp.Header.Get("X-Powered-By") != "" {
				n++
			}
		}
		return n
	}
	for _, step := range []struct {
		lines       []string
		least, most int
		mode        string
	}{
		{[]string{"mode = diff-proxy", "compare-share = 10"}, 100, 100, "diff-proxy"},
		{[]string{"mode = diff-native", "mode-share = 1"}, 90, 100, "diff-native"},
		{[]string{"mode = diff-native", "mode-share = 50"}, 25, 75, "diff-native"},
		{[]string{"mode = diff-native"}, 0, 0, "diff-native"},
		{[]string{"mode = native"}, 0, 0, "native"},
		{[]string{"mode = proxy"}, 100, 100, "proxy"},
	} {
		put(step.lines...)
		c.reload()
		if n := byThem(); n < step.least || n > step.most {
			t.Errorf("%v: WordPress answers %d of 100", step.lines, n)
		}
		if c.metric(`calbridge_rollout_mode{mode="`+step.mode+`"}`) != 1 {
			t.Errorf("%v: the metrics tell another mode", step.lines)
		}
	}
	put("mode = sideways")
	c.reload()
	if n := byThem(); n != 100 || c.metric("calbridge_config_last_reload_successful") != 0 {
		t.Errorf("after settings that cannot be used WordPress answers %d of 100", n)
	}
}

// TestUnfaithful requests a text that only another plugin can render.
func TestUnfaithful(t *testing.T) {
	file := sampleFile(t)
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.SQL().ExecContext(t.Context(), "UPDATE wp_posts SET post_content = '[shop_cart id=\"3\"]' WHERE post_type = 'tribe_events'"); err != nil {
		t.Fatal(err)
	}
	store.Close()
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}})
	const path = "/wp-json/calendar/events/v1/events?per_page=1"
	s := start(t, nil, "serve", "--dsn", "sqlite:"+file, "--clock", modesNow, "--upstream", ref.URL)
	for _, c := range []struct {
		path   string
		byThem bool
	}{{path, true}, {"/wp-json/calendar/events/v1/venues", false}} {
		if resp, _ := fetch(t, s.api+c.path); resp.StatusCode != http.StatusOK || (resp.Header.Get("X-Powered-By") != "") != c.byThem {
			t.Errorf("%s: %d %v", c.path, resp.StatusCode, resp.Header)
		}
	}
	s.awaitMetric(`calbridge_unfaithful_requests_total{by="wordpress"}`, 1)
	s.awaitMetric(`calbridge_upstream_requests_total{purpose="content",result="answered"}`, 1)
	if log := s.stderr.String(); strings.Count(log, "name=[shop_cart]") != 1 {
		t.Errorf("the log does not name it once:\n%s", log)
	}
	ref.Close() // without the upstream, calbridge's response is better than none
	if resp, body := fetch(t, s.api+path); resp.StatusCode != http.StatusOK || !strings.Contains(body, "shop_cart") {
		t.Errorf("%d %.300s", resp.StatusCode, body)
	}
	s.awaitMetric(`calbridge_unfaithful_requests_total{by="calbridge"}`, 1)
	alone := start(t, nil, "serve", "--dsn", "sqlite:"+file, "--clock", modesNow)
	if resp, _ := fetch(t, alone.api+path); resp.StatusCode != http.StatusOK {
		t.Errorf("without WordPress: %d", resp.StatusCode)
	}
	alone.awaitMetric(`calbridge_unfaithful_requests_total{by="calbridge"}`, 1)
}

// TestUpstreamSettings checks that faults in the address of WordPress are reported.
func TestUpstreamSettings(t *testing.T) {
	oneAtATime(t)
	file := sampleFile(t)
	s := start(t, nil, "serve", "--dsn", "sqlite:"+file)
	for _, args := range [][]string{{"--mode", "proxy"}, {"--mode-share", "50"}, {"--mode", "diff-native"}, {"--mode", "proxy", "--upstream", "http://x/wp"},
		{"--mode", "diff-proxy", "--upstream", "http://x", "--compare-rules", "/nowhere"}, {"--mode", "diff-proxy", "--upstream", "http://x", "--compare-log", "/nowhere/x"}} {
		code, _, stderr := once(t, nil, append([]string{"serve", "--dsn", "sqlite:" + file, "--listen", "127.0.0.1:0", "--ops-listen", "off"}, args...)...)
		if code != cmdline.Usage || !strings.Contains(stderr, "--") {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
	healthy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "{}") }))
	defer healthy.Close()
	for url, want := range map[string]string{s.api: "leads back", "http://127.0.0.1:1": "does not answer", healthy.URL: "answers in"} {
		_, found := checkReport(t, "--dsn", "sqlite:"+file, "--upstream", url)
		if f := found["rollout.upstream"]; !strings.Contains(f.Found, want) {
			t.Errorf("%s: %+v", url, f)
		}
	}
	if resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/", rollout.Marker, "1"); resp.StatusCode != http.StatusLoopDetected || !strings.Contains(body, "calbridge_loop") {
		t.Errorf("a request that has been here: %d %s", resp.StatusCode, body)
	}
}
