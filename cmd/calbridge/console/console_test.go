package console

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/figures"
	"calbridge/rest/api"
	"calbridge/rest/proof"
)

// instance is a Console with a stopped clock, over metrics with the same names as calbridge's.
type instance struct {
	*Console
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	answers  *prometheus.CounterVec
	report   proof.Report // the report of mode auto; ignored if it has no shapes
	sites    []figures.Site
	at       time.Time
}

func newInstance(t *testing.T) *instance {
	registry := prometheus.NewRegistry()
	i := &instance{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "calbridge_http_requests_total"}, []string{"route", "code"}),
		took:     prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "calbridge_http_request_duration_seconds", Buckets: []float64{.001, .002, .01}}, []string{"route"}),
		answers:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "calbridge_proof_answers_total"}, []string{"by", "reason"}),
		at:       time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC),
	}
	registry.MustRegister(i.requests, i.took, i.answers)
	i.Console = New(Config{
		Gatherer: registry, Now: func() time.Time { return i.at }, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Differences: func() []diffmode.Field { return []diffmode.Field{{Route: "/events", Name: "events[].title", Total: 3}} },
		Proof:       func() (proof.Report, bool) { return i.report, i.report.Shapes != nil },
		Sites:       func() []figures.Site { return i.sites },
		About: func() About {
			return About{Site: "https://town.example", Settings: []Setting{{Name: "dsn", Value: "•••"}}}
		},
	})
	return i
}

func (i *instance) serve(route, code string, took time.Duration, times int) {
	for range times {
		i.requests.WithLabelValues(route, code).Inc()
		i.took.WithLabelValues(route).Observe(took.Seconds())
		i.Request(&api.Observation{Method: "GET", Route: route, Path: "/secret/path", Status: 200, Took: took, Cache: api.CacheMiss})
	}
}

func TestFigures(t *testing.T) {
	i := newInstance(t)
	i.serve("/venues", "200", time.Millisecond/2, 5)
	i.sample()
	i.at = i.at.Add(10 * time.Second)
	i.serve("/events", "200", 1500*time.Microsecond, 90)
	i.serve("/events", "503", 5*time.Millisecond, 10)
	i.sample()
	n := i.latest
	if n == nil || n.Requests.PerSecond != 10 || n.Requests.Failed != 1 || len(n.Routes) != 2 {
		t.Fatalf("%+v", n)
	}
	events, venues := n.Routes[0], n.Routes[1]
	if events.Route != "/events" || events.PerSecond != 10 || events.Failed != 1 || events.Total != 100 {
		t.Errorf("%+v", events)
	}
	// 90 values lie between 1 and 2 ms, 10 between 2 and 10 ms.
	if want := 1 + 50.0/90; events.P50 < want-.01 || events.P50 > want+.01 || events.P99 < 9.1 || events.P99 > 9.3 {
		t.Errorf("quantiles: %+v", events)
	}
	if venues.PerSecond != 0 || venues.Total != 5 || venues.P50 != 0 {
		t.Errorf("%+v", venues)
	}
	if len(n.Fields) != 1 || n.Fields[0].Total != 3 {
		t.Errorf("fields: %+v", n.Fields)
	}
	if len(i.history.hour) != 1 || i.history.hour[0].Values[0] != 10 {
		t.Errorf("history: %+v", i.history.hour)
	}
}

// TestHistory checks that the history has the points of one hour and of one day, without older ones.
func TestHistory(t *testing.T) {
	i := newInstance(t)
	for range points*perDayPoint + 10*perDayPoint + 1 {
		i.at = i.at.Add(pointEvery)
		i.sample()
	}
	day := i.history.day
	if n := len(day); n != points || day[n-1].At != i.at.Unix() || day[1].At-day[0].At != int64((perDayPoint*pointEvery).Seconds()) {
		t.Errorf("day: %d points, %+v", n, day)
	}
	if n := len(i.history.hour); n != points || i.history.hour[n-1].At != i.at.Unix() || i.history.hour[0].At != i.at.Add(-(points-1)*pointEvery).Unix() {
		t.Errorf("%d points from %d to %d", n, i.history.hour[0].At, i.history.hour[n-1].At)
	}
}

// TestDayPoint checks that a point of the day has the mean of rates and the highest time and memory.
func TestDayPoint(t *testing.T) {
	var h history
	var got *Point
	for n := range perDayPoint {
		p := Point{At: int64(n)}
		for range plots() {
			p.Values = append(p.Values, float64(n))
		}
		if got = h.add(p); (got != nil) != (n == perDayPoint-1) {
			t.Fatalf("after %d points: %v", n, got)
		}
	}
	for i, plot := range plots() {
		if want := map[bool]float64{true: perDayPoint - 1, false: (perDayPoint - 1) / 2.0}[plot.peak]; got.Values[i] != want {
			t.Errorf("%s: %v, want %v", plot.Name, got.Values[i], want)
		}
	}
}

// TestSlowest checks that the slowest requests of every five minutes are kept for an hour,
// without paths.
func TestSlowest(t *testing.T) {
	i := newInstance(t)
	i.serve("/long-ago", "200", time.Hour, 1)
	i.at = i.at.Add(2 * time.Hour)
	for ms := range 100 {
		i.serve("/events", "200", time.Duration(ms)*time.Millisecond, 1)
	}
	i.at = i.at.Add(10 * time.Minute)
	i.serve("/venues", "200", 95500*time.Microsecond, 1)
	list := i.slowest.list(i.at)
	if len(list) != perSpan || list[0].Took != 99 || list[4].Took != 95.5 || list[4].Route != "/venues" || list[perSpan-1].Took != 81 {
		t.Errorf("%+v", list)
	}
	text, _ := json.Marshal(i.status())
	if strings.Contains(string(text), "secret") || strings.Contains(string(text), "long-ago") {
		t.Errorf("%s", text)
	}
}

func TestHandler(t *testing.T) {
	i := newInstance(t)
	h := i.Handler()
	for name, c := range map[string]struct {
		host, path string
		status     int
		contains   string
	}{
		"page":    {"127.0.0.1:9464", "/console/", 200, "app.js"},
		"script":  {"localhost:9464", "/console/app.js", 200, "EventSource"},
		"status":  {"[::1]:9464", "/console/status.json", 200, `"site":"https://town.example"`},
		"missing": {"127.0.0.1", "/console/none", 404, ""},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		r.Host = c.host
		h.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) || !strings.Contains(w.Header().Get("Content-Security-Policy"), "script-src 'self';") {
			t.Errorf("%s: %d %.200s", name, w.Code, w.Body)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://127.0.0.1/console/status.json", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

// TestStream checks that figures arrive as events while the console runs, and that the stream
// ends with it.
func TestStream(t *testing.T) {
	i := newInstance(t)
	i.sample()
	i.at = i.at.Add(time.Second)
	server := httptest.NewServer(i.Handler())
	defer server.Close()
	resp, err := http.Get(server.URL + "/console/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	if line, err := lines.ReadString('\n'); err != nil || line != "retry: 2000\n" {
		t.Fatalf("%q %v", line, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); i.Run(ctx) }()
	_, _ = lines.ReadString('\n')
	if line, err := lines.ReadString('\n'); err != nil || line != "event: now\n" {
		t.Errorf("%q %v", line, err)
	}
	cancel()
	<-done
	if _, err := io.ReadAll(lines); err != nil {
		t.Errorf("the stream doesn't end: %v", err)
	}
	if resp, err = http.Get(server.URL + "/console/stream"); err != nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("after the end: %v %v", resp, err)
	}
	resp.Body.Close()
}

// TestSlowStream checks that a client that doesn't read is disconnected and delays no other
// client.
func TestSlowStream(t *testing.T) {
	var s streams
	slow, _ := s.enter()
	for range backlog + 1 {
		s.send("now", 1)
	}
	if s.any() {
		t.Error("still open")
	}
	n := 0
	for range slow {
		n++
	}
	if n != backlog {
		t.Errorf("%d messages", n)
	}
	s.leave(slow)
}
