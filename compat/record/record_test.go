package record_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/compat"
	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/record"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
)

// fakeSite is a small calendar over HTTP: 25 events in pages of 10, 3 venues, a
// value that is different every time, a language directory and one account.
type fakeSite struct {
	mu       sync.Mutex
	url      string
	requests int
	busy     int // so many requests are refused first
	changes  int
	lenient  bool // takes incomplete events
	agents   map[string]bool
	objects  map[int]string
	next     int
	broken   func(path string) bool
}

func (f *fakeSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests++
	f.agents[r.UserAgent()] = true
	if f.busy > 0 && f.requests > 5 {
		f.busy--
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	path := r.URL.Path
	dir := ""
	if rest, found := strings.CutPrefix(path, "/en/"); found {
		path, dir = "/"+rest, "/en"
	}
	if path == "/" && r.URL.Query().Get("rest_route") == "" {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<html><meta name="generator" content="WordPress 7.0.4"><meta name='generator' content='WPML ver:4.7.6 stt:1,2;'>`)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.Header().Set("Link", fmt.Sprintf(`<https://town.example%s/wp-json/>; rel="https://api.w.org/"`, dir))
	w.Header().Set("X-Scheme", r.Header.Get("X-Forwarded-Proto"))
	w.Header().Set("Set-Cookie", "session=secret-cookie; path=/")
	route, ok := strings.CutPrefix(path, "/wp-json")
	if path == "/" {
		route, ok = r.URL.Query().Get("rest_route"), true
	}
	if f.broken != nil && f.broken(r.URL.RequestURI()) {
		w.Header().Set("X-Broken", "1")
	}
	switch below, ours := strings.CutPrefix(strings.ToLower(route), "/tribe/events/v1"); {
	case strings.HasPrefix(r.URL.Path, "/de/") || !ok:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<!DOCTYPE html>")
	case route == "/":
		fmt.Fprint(w, `{"name":"Town","home":"https:\/\/town.example","timezone_string":"Europe\/Prague","namespaces":["wp\/v2","tribe\/events\/v1"]}`)
	case ours && strings.Trim(below, "/") == "":
		fmt.Fprint(w, compattest.SmallIndex)
	case ours:
		f.answer(w, r, strings.TrimSuffix(below, "/"))
	default:
		f.fail(w, 404, "rest_no_route", "No such route.")
	}
}

func (f *fakeSite) fail(w http.ResponseWriter, status int, code, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":%q,"message":%q,"data":{"status":%d}}`, code, message, status)
}

func (f *fakeSite) event(id int) string {
	return fmt.Sprintf(`{"id":%d,"slug":"concert-%d","title":"Concert number %d","start_date":"2026-12-%02d 10:00:00","venue":{"id":%d},"seen":%d}`, id, id, id, id%28+1, 100+id%3, f.requests)
}

func (f *fakeSite) answer(w http.ResponseWriter, r *http.Request, route string) {
	q := r.URL.Query()
	_, password, _ := r.BasicAuth()
	admin := password == "pass word"
	switch {
	case r.Method == http.MethodOptions:
		fmt.Fprint(w, `{"namespace":"tribe\/events\/v1","endpoints":[]}`)
	case r.Method == http.MethodPost && route == "/events":
		if !admin && !f.lenient {
			f.fail(w, 401, "rest_forbidden", "Not allowed.")
			return
		}
		f.next++
		f.changes++
		f.objects[f.next] = "x"
		w.WriteHeader(201)
		fmt.Fprintf(w, `{"id":%d,"title":"x"}`, f.next)
	case route == "/events":
		page := 1
		if text := q.Get("page"); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				f.fail(w, 400, "rest_invalid_param", "Not accepted: page")
				return
			}
			page = n
		}
		w.Header().Set("X-TEC-TotalPages", "3")
		if page > 3 {
			f.fail(w, 404, "event-archive-page-not-found", "No such page.")
			return
		}
		var items []string
		for id := (page-1)*10 + 1; id <= min(page*10, 25); id++ {
			items = append(items, f.event(id))
		}
		fmt.Fprintf(w, `{"events":[%s],"total":25,"total_pages":3,"admin":%v}`, strings.Join(items, ","), admin)
	case route == "/venues":
		fmt.Fprint(w, `{"venues":[{"id":100,"slug":"hall"},{"id":101,"slug":"park"},{"id":102,"slug":"yard"}],"total_pages":1}`)
	case strings.HasPrefix(route, "/events/by-slug/concert-"):
		fmt.Fprint(w, f.event(1))
	case strings.HasPrefix(route, "/events/"):
		id, err := strconv.Atoi(strings.TrimPrefix(route, "/events/"))
		_, own := f.objects[id]
		if err != nil || id < 1 || (id > 25 && !own) {
			f.fail(w, 404, "event-not-found", "No such event.")
			return
		}
		if r.Method == http.MethodDelete {
			f.changes++
			delete(f.objects, id)
		}
		fmt.Fprint(w, f.event(id))
	default:
		f.fail(w, 404, "rest_no_route", "No such route.")
	}
}

func startFakeSite(t *testing.T) *fakeSite {
	t.Helper()
	f := &fakeSite{agents: map[string]bool{}, objects: map[int]string{}, next: 1000}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

func recordOptions(f *fakeSite, out string) record.Options {
	return record.Options{URL: f.url, Host: "https://town.example", Out: out, Logins: map[string]string{"jana": "pass word"}, Delay: -1, Gap: -1, Concurrency: 3, Generator: "test"}
}

func TestRecordAndReplay(t *testing.T) {
	f := startFakeSite(t)
	f.busy = 2
	dir := t.TempDir()
	o := recordOptions(f, filepath.Join(dir, "town.jsonl"))
	o.Profile = filepath.Join(dir, "profile.json")
	var last record.Progress
	o.Progress = func(p record.Progress) { last = p }
	result, err := record.Record(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if result.Exchanges < 200 || last.Done != last.Planned || last.Done != result.Exchanges+len(result.Unstable) || len(result.Unstable) > 0 {
		t.Errorf("%d exchanges, progress %+v, unstable %v", result.Exchanges, last, result.Unstable)
	}
	if f.changes > 0 {
		t.Errorf("%d changes without leave", f.changes)
	}
	if len(f.agents) != 1 || !strings.Contains(fmt.Sprint(f.agents), "calbridge-record") {
		t.Errorf("user agents %v", f.agents)
	}
	h := result.Header
	if h.Home != "https://town.example" || h.Versions["WordPress"] != "7.0.4" || h.Versions["WPML"] != "4.7.6" || h.TimeZone != "Europe/Prague" ||
		!slices.Equal(h.Languages, []string{"en", "de"}) || len(h.Plugins) != 2 || h.Clock == nil {
		t.Errorf("header %+v", h)
	}
	data, err := os.ReadFile(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"pass word", "secret-cookie", "Basic "} {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("the recording holds %q", secret)
		}
	}
	have := map[string]int{}
	for _, x := range compattest.ReadExchanges(t, o.Out) {
		if len(x.Request.Headers) == 0 {
			have[x.As+" "+x.Request.Method+" "+x.Request.Path]++
		}
	}
	for _, want := range []string{"anonymous GET /wp-json/tribe/events/v1/events?page=3", "anonymous GET /wp-json/tribe/events/v1/events?page=4", "anonymous HEAD /wp-json/tribe/events/v1/events",
		"anonymous OPTIONS /wp-json/tribe/events/v1/events/1", "jana GET /wp-json/tribe/events/v1/events", "anonymous GET /en/wp-json/tribe/events/v1/events", "anonymous GET /wp-json/tribe/events/v1/events?lang=de",
		"anonymous GET /wp-json/tribe/events/v1/events/by-slug/concert-1", "anonymous GET /wp-json/tribe/events/v1/events?page=abc", "anonymous GET /wp-json/tribe/events/v1/events/999999999",
		"anonymous GET /?rest_route=/tribe/events/v1/events", "anonymous GET /wp-json/tribe/events/v1/events?search=Concert", "anonymous GET /wp-json/tribe/events/v1/events?venue=100%2C102",
		"anonymous GET /wp-json/tribe/events/v1/events?search=Concert&start_date=2026-12-02+10%3A00%3A00"} {
		if have[want] != 1 {
			t.Errorf("%s: recorded %d times", want, have[want])
		}
	}

	again := replay.Options{Target: f.url, Recordings: []string{o.Out}, Logins: o.Logins, Details: true}
	report, err := replay.Compare(context.Background(), again)
	if err != nil || report.Same != result.Exchanges || report.RecordedLatency.Count == 0 {
		t.Errorf("replay: error %v, %d same, %d differ: %v", err, report.Same, report.Different, report.Differing[:min(3, len(report.Differing))])
	}
	f.broken = func(uri string) bool { return strings.HasSuffix(uri, "events?page=2") }
	if report, _ := replay.Compare(context.Background(), again); report.Different < 2 || report.Parts[diff.PartHeaders] != report.Different {
		t.Errorf("a broken answer is not found: %d, %v", report.Different, report.Parts)
	}
	profile, err := os.ReadFile(o.Profile)
	if err != nil || !bytes.Contains(profile, []byte(`"event-not-found": "No such event."`)) {
		t.Errorf("profile %s, error %v", profile, err)
	}
}

// TestRecordedOverHTTP checks that a replay uses http for an https site that was recorded
// over http, with a site file too.
func TestRecordedOverHTTP(t *testing.T) {
	f := startFakeSite(t)
	o := recordOptions(f, filepath.Join(t.TempDir(), "town.jsonl"))
	o.Host = "town.example"
	result, err := record.Record(t.Context(), o)
	if err != nil || result.Header.Home != "https://town.example" {
		t.Fatalf("%+v, %v", result.Header, err)
	}
	for _, site := range []string{"", compattest.WriteFile(t, "site.json", `{"site":"town","home":"https://town.example"}`)} {
		report, err := replay.Compare(t.Context(), replay.Options{Target: f.url, Recordings: []string{o.Out}, Logins: o.Logins, Site: site})
		if err != nil || report.Same != result.Exchanges {
			t.Errorf("site file %q: %v, %d of %d the same", site, err, report.Same, result.Exchanges)
		}
	}
	archive := filepath.Join(t.TempDir(), "town.har")
	if err := recording.WriteFile(archive, func(w io.Writer) error {
		_, err := recording.Convert(recording.ConvertOptions{Recordings: []string{o.Out}, Format: recording.FormatHAR}, w)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(archive); !bytes.Contains(data, []byte(`"url":"http://town.example/wp-json/`)) {
		t.Error("HAR has another scheme")
	}
}

func TestRecordContinues(t *testing.T) {
	for _, name := range []string{"town.jsonl", "town.jsonl.gz"} {
		t.Run(name, func(t *testing.T) { testRecordContinues(t, filepath.Join(t.TempDir(), name)) })
	}
}

func testRecordContinues(t *testing.T, out string) {
	f := startFakeSite(t)
	o := recordOptions(f, out)
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(p record.Progress) {
		if p.Done == 60 {
			cancel()
		}
	}
	if _, err := record.Record(ctx, o); err == nil {
		t.Fatal("an interrupted recording gives no error")
	}
	file, err := os.OpenFile(out, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	var torn io.Writer = file
	if strings.HasSuffix(out, ".gz") {
		torn = gzip.NewWriter(file) // never closed, as in a crash
	}
	io.WriteString(torn, `{"id":"torn","request":{"me`)
	if z, packed := torn.(*gzip.Writer); packed {
		z.Flush()
	}
	file.Close()
	before := f.requests
	o.Progress = nil
	result, err := record.Record(context.Background(), o)
	if err != nil || result.Resumed < 60 || result.Resumed > 60+record.Chunk {
		t.Fatalf("error %v, %d resumed", err, result.Resumed)
	}
	ids := map[string]bool{}
	for _, x := range compattest.ReadExchanges(t, out) {
		if ids[x.ID] {
			t.Errorf("%s is there twice", x.ID)
		}
		ids[x.ID] = true
	}
	if len(ids) != result.Exchanges || f.requests-before > 2*(result.Exchanges-result.Resumed+result.Refused)+record.MaxProbes+10 {
		t.Errorf("%d in the file, %d recorded, %d requests", len(ids), result.Exchanges, f.requests-before)
	}
	before = f.requests
	if again, err := record.Record(context.Background(), o); err != nil || !again.AlreadyFinished || f.requests != before {
		t.Errorf("a finished recording is asked again: error %v", err)
	}
}

func TestRecordWrites(t *testing.T) {
	f := startFakeSite(t)
	o := recordOptions(f, filepath.Join(t.TempDir(), "town.jsonl"))
	o.Writes = true
	result, err := record.Record(context.Background(), o)
	if err != nil || result.Cases != 1 || len(f.objects) != 0 || len(result.Leftover) != 0 {
		t.Fatalf("error %v, %d cases, %d objects left, %v", err, result.Cases, len(f.objects), result.Leftover)
	}
	var c *recording.Case
	if err := recording.Read([]string{o.Out}, func(e recording.Entry) error {
		if e.Case != nil {
			c = e.Case
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(c.Steps) != 6 || c.Steps[0].Response.Status != 201 || !slices.Contains(c.Steps[0].Noise, "$.id") || c.As != "jana" {
		data, _ := json.Marshal(c)
		t.Errorf("case %s", data)
	}
	var body map[string]string
	if err := json.Unmarshal([]byte(*c.Steps[0].Request.Body), &body); err != nil || body["start_date"] == "" || body["end_date"] == "" {
		t.Errorf("body %v, error %v", body, err)
	}
}

// TestRecordUnrefused checks that a site that takes an incomplete event gets no further writes.
func TestRecordUnrefused(t *testing.T) {
	f := startFakeSite(t)
	f.lenient = true
	o := recordOptions(f, filepath.Join(t.TempDir(), "town.jsonl"))
	o.Logins, o.User, o.Password = nil, "jana", "pass word"
	var stdout, stderr bytes.Buffer
	if code := compat.RunRecord(t.Context(), o, &stdout, &stderr); code != replay.ExitSame || f.changes != 1 || !strings.Contains(stdout.String(), "not refused as expected, please check: POST /wp-json/tribe/events/v1/events\n") {
		t.Errorf("exit %d, %d changes\n%s%s", code, f.changes, &stdout, &stderr)
	}
}

func TestRecordRefuses(t *testing.T) {
	f := startFakeSite(t)
	dir := t.TempDir()
	other := compattest.WriteFile(t, "other", `{"format":"x","clock":1}`+"\n")
	for name, c := range map[string]struct {
		change func(*record.Options)
		want   string
	}{
		"no file":        {func(o *record.Options) { o.Out = "" }, "--out"},
		"packed text":    {func(o *record.Options) { o.Out = compattest.WriteFile(t, "t.gz", "hello") }, "no recording"},
		"another file":   {func(o *record.Options) { o.Out = other }, "another recording"},
		"another text":   {func(o *record.Options) { o.Out = compattest.WriteFile(t, "t", "hello") }, "no recording"},
		"no URL":         {func(o *record.Options) { o.URL = "town" }, "is not a URL"},
		"bad host":       {func(o *record.Options) { o.Host = "a b" }, "not a host name"},
		"bad namespace":  {func(o *record.Options) { o.Namespace = "none/v1" }, "has no index"},
		"not reachable":  {func(o *record.Options) { o.URL = "http://127.0.0.1:1"; o.Timeout = time.Second }, "cannot be reached"},
		"no such folder": {func(o *record.Options) { o.Out = filepath.Join(dir, "none", "x") }, "cannot be written"},
	} {
		t.Run(name, func(t *testing.T) {
			o := recordOptions(f, filepath.Join(t.TempDir(), "new.jsonl"))
			c.change(&o)
			var stdout, stderr bytes.Buffer
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			if code := compat.RunRecord(ctx, o, &stdout, &stderr); code == replay.ExitSame || !strings.Contains(stderr.String(), c.want) {
				t.Errorf("exit %d, stderr %q", code, stderr.String())
			}
		})
	}
	if data, err := os.ReadFile(other); err != nil || len(data) == 0 {
		t.Error("another file was emptied")
	}
}
