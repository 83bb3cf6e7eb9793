package rollout

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/proof"
	"calbridge/wpstore/invalidation"
)

// native stands in for calbridge: it answers what it is asked, and declines what
// has "shop" in its path. Addresses with "ical" it takes for pages of WordPress.
type native struct {
	mu    sync.Mutex
	asked []string // method and target
	body  string
	code  int
	head  map[string]string // headers of its responses
	sent  int               // answers to clients
	open  int               // responses that have not been closed
	limit atomic.Pointer[api.Storing]
}

func (n *native) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := n.Answer(w, r)
	defer a.Close()
	a.Send(w)
}

// Answer implements Server.
func (n *native) Answer(_ http.ResponseWriter, r *http.Request) api.Answered {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, r.Method+" "+r.RequestURI)
	n.open++
	return &nativeAnswer{n: n, request: r, body: n.body, code: n.code, head: n.head}
}

// nativeAnswer is a response of native.
type nativeAnswer struct {
	n       *native
	request *http.Request
	body    string
	code    int
	head    map[string]string
}

func (a *nativeAnswer) Summary() *api.Summary {
	return &api.Summary{Route: "/events", ContentType: a.contentType(), Shared: true, Tags: []invalidation.Tag{event(), {Kind: invalidation.Events}}, Body: []byte(a.body)}
}

// contentType returns that of an export if the body is one.
func (a *nativeAnswer) contentType() string {
	if strings.HasPrefix(a.body, "BEGIN:VCALENDAR") {
		return "text/calendar; charset=UTF-8"
	}
	return "application/json"
}

func (a *nativeAnswer) Replace(body []byte) { a.body = string(body) }

func (a *nativeAnswer) Limit(s api.Storing) { a.n.limit.Store(&s) }

func (a *nativeAnswer) NotRendered() []string {
	if strings.Contains(a.request.RequestURI, "shop") && api.PlainGET(a.request) {
		return []string{"[shop_cart]"}
	}
	return nil
}

func (a *nativeAnswer) Elsewhere() bool { return strings.Contains(a.request.RequestURI, "ical") }

func (a *nativeAnswer) Send(w http.ResponseWriter) {
	a.n.mu.Lock()
	a.n.sent++
	a.n.mu.Unlock()
	_ = a.Copy(w)
}

func (a *nativeAnswer) Close() {
	a.n.mu.Lock()
	defer a.n.mu.Unlock()
	a.n.open--
}

func (a *nativeAnswer) Copy(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", a.contentType())
	for name, value := range a.head {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.code)
	_, err := io.WriteString(w, a.body)
	return err
}

func (n *native) Refuse(w http.ResponseWriter, _ *http.Request, code string) {
	status := map[string]int{"calbridge_loop": 508, "calbridge_upstream_away": 502, "calbridge_upstream_slow": 503, "calbridge_too_large": 413, "calbridge_site_closed": 503, "calbridge_bad_body": 400}[code]
	w.WriteHeader(status)
	_, _ = io.WriteString(w, code)
}

// answered counts the responses to clients.
func (n *native) answered() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.sent
}

func (n *native) seen() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.asked)
}

// wordpress stands in for the other side.
type wordpress struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
	answer   http.HandlerFunc
}

func newWordPress(t *testing.T) *wordpress {
	wp := &wordpress{answer: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "theirs")
	}}
	wp.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		wp.mu.Lock()
		wp.requests, wp.bodies = append(wp.requests, r), append(wp.bodies, string(body))
		answer := wp.answer
		wp.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(wp.Close)
	return wp
}

func (wp *wordpress) count() int {
	wp.mu.Lock()
	defer wp.mu.Unlock()
	return len(wp.requests)
}

func (wp *wordpress) last() (*http.Request, string) {
	wp.mu.Lock()
	defer wp.mu.Unlock()
	return wp.requests[len(wp.requests)-1], wp.bodies[len(wp.bodies)-1]
}

func (wp *wordpress) answers(h http.HandlerFunc) {
	wp.mu.Lock()
	defer wp.mu.Unlock()
	wp.answer = h
}

// notes is an Observer and Judge that remembers; it takes bodies for the same that
// are.
type notes struct {
	mu       sync.Mutex
	asked    []Asked
	turned   []string
	compared []Compared
	dropped  map[string]int
	recorded []*Pair
}

func (n *notes) Asked(a *Asked) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, *a)
}

func (n *notes) Turned(names []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.turned = append(n.turned, names...)
}

func (n *notes) Compared(c *Compared) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.compared = append(n.compared, *c)
}

func (n *notes) Dropped(reason string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.dropped == nil {
		n.dropped = map[string]int{}
	}
	n.dropped[reason]++
}

func (n *notes) Compare(_ context.Context, p *Pair) (Outcome, []string, error) {
	if bytes.Equal(p.Ours.Body, p.Theirs.Body) && p.Ours.Status == p.Theirs.Status {
		return Same, nil, nil
	}
	return Different, []string{"semantic"}, nil
}

func (n *notes) Record(_ context.Context, p *Pair, _ []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.recorded = append(n.recorded, p)
}

func (n *notes) Fields(context.Context, *Pair) []string { return []string{"body"} }

func (n *notes) Moved(*Answer, *Answer) bool { return false }

func (n *notes) results() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []string
	for _, a := range n.asked {
		all = append(all, a.Purpose+" "+a.Result)
	}
	return strings.Join(all, ", ")
}

func (n *notes) outcomes() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []string
	for _, c := range n.compared {
		all = append(all, c.Route+" "+string(c.Outcome))
	}
	return strings.Join(all, ", ")
}

// sides are both of them, behind a Handler on an address.
type sides struct {
	t      *testing.T
	native *native
	wp     *wordpress
	notes  *notes
	h      *Handler
	front  *httptest.Server
	end    func() // waits for all that is under way
}

// unobserved implements proof.Observer.
type unobserved struct{}

func (unobserved) Ended(proof.Ending)   {}
func (unobserved) Decided(proof.Reason) {}

func newSides(t *testing.T, plan Plan, changes ...func(*Config)) *sides {
	t.Helper()
	s := &sides{t: t, native: &native{body: "ours", code: 200}, wp: newWordPress(t), notes: &notes{}}
	c := Config{
		Plan: plan, Native: s.native, Upstream: &Upstream{URL: s.wp.URL, Timeout: time.Minute}, MaxBody: 1000,
		Client:         func(r *http.Request) string { return r.Header.Get("X-Test-Client") },
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Judge:          s.notes, Observer: s.notes, Logger: slog.New(slog.DiscardHandler),
	}
	if plan.Mode == Auto { // which proves nothing here: its tracker is never active
		c.Prover = proof.New(proof.Config{Now: time.Now, Observer: unobserved{}, Logger: c.Logger, Facts: func(context.Context) (proof.Facts, error) { return nil, nil }})
	}
	for _, change := range changes {
		change(&c)
	}
	var err error
	if s.h, err = New(c); err != nil {
		t.Fatal(err)
	}
	s.front = httptest.NewServer(s.h)
	s.end = sync.OnceFunc(func() {
		s.front.Close()
		s.h.Close()
		if s.native.open != 0 {
			t.Errorf("%d responses were not closed", s.native.open)
		}
	})
	t.Cleanup(s.end)
	return s
}

// send writes a request as it stands and returns status and body.
func (s *sides) send(method, target, body string, header ...string) (int, string) {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.front.Listener.Addr().String())
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: town.example\r\nConnection: close\r\n", method, target)
	if body != "" {
		text += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	if len(header) > 0 {
		text += strings.Join(header, "\r\n") + "\r\n"
	}
	if _, err := io.WriteString(conn, text+"\r\n"+body); err != nil {
		s.t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	head, rest, _ := strings.Cut(string(answer), "\r\n\r\n")
	var status int
	if _, err := fmt.Sscanf(head, "HTTP/1.1 %d", &status); err != nil {
		return 0, string(answer)
	}
	if err != nil {
		rest += " (broken off)"
	}
	if strings.Contains(head, "chunked") {
		_, rest, _ = strings.Cut(rest, "\r\n")
	}
	return status, rest
}

// proves makes a prover that one identical response convinces.
func proves(tracker *invalidation.Tracker) func(*Config) {
	return func(c *Config) {
		c.Prover = proof.New(proof.Config{
			Settings: proof.Settings{Comparisons: 1, Sample: 100, Bytes: 1 << 20, WithoutCompanion: true}, Tracker: tracker, Now: time.Now, Observer: unobserved{}, Logger: c.Logger,
			Facts: func(context.Context) (proof.Facts, error) { return proof.Facts{"wordpress": "7.0"}, nil },
		})
	}
}

// quiet waits until no comparison is queued or under way.
func (s *sides) quiet() {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); s.h.Comparing() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatal("comparisons don't end")
		}
	}
}

// settle waits until as many comparisons are done.
func (s *sides) settle(n int) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		s.notes.mu.Lock()
		done := len(s.notes.compared)
		s.notes.mu.Unlock()
		if done >= n {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%d of %d comparisons", done, n)
		}
	}
}
