package rollout

import (
	"bytes"
	"compress/gzip"
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
	"testing"
	"time"

	"calbridge/rest"
)

// native stands in for calbridge: it answers what it is asked, and declines what
// has "shop" in its path.
type native struct {
	mu    sync.Mutex
	asked []string // method and target
	body  string
	code  int
}

func (n *native) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	n.asked = append(n.asked, r.Method+" "+r.RequestURI)
	body, code := n.body, n.code
	n.mu.Unlock()
	if strings.Contains(r.RequestURI, "shop") && rest.PlainGET(r) && Decline(r, []string{"[shop_cart]"}) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, body)
	Observe(&rest.Observation{Context: r.Context(), Route: "/events", Status: code})
}

func (n *native) Refuse(w http.ResponseWriter, _ *http.Request, code string) {
	status := map[string]int{"calbridge_loop": 508, "calbridge_upstream_away": 502, "calbridge_upstream_slow": 504, "calbridge_too_large": 413}[code]
	w.WriteHeader(status)
	_, _ = io.WriteString(w, code)
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
	kept     []*Pair
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

func (n *notes) Compare(p *Pair) (Outcome, []string, error) {
	if bytes.Equal(p.Ours.Body, p.Theirs.Body) && p.Ours.Status == p.Theirs.Status {
		return Same, nil, nil
	}
	return Different, []string{"semantic"}, nil
}

func (n *notes) Keep(p *Pair, _ []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.kept = append(n.kept, p)
}

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

func newSides(t *testing.T, plan Plan, changes ...func(*Config)) *sides {
	t.Helper()
	s := &sides{t: t, native: &native{body: "ours", code: 200}, wp: newWordPress(t), notes: &notes{}}
	c := Config{
		Plan: plan, Native: s.native, Upstream: &Upstream{URL: s.wp.URL, Timeout: 5 * time.Second}, MaxBody: 1000,
		Client:         func(r *http.Request) string { return r.Header.Get("X-Test-Client") },
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Judge:          s.notes, Observer: s.notes, Logger: slog.New(slog.DiscardHandler),
	}
	for _, change := range changes {
		change(&c)
	}
	var err error
	if s.h, err = New(c); err != nil {
		t.Fatal(err)
	}
	s.front = httptest.NewServer(s.h)
	s.end = sync.OnceFunc(func() { s.front.Close(); s.h.Close() })
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
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
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

// settle waits until as many comparisons are done.
func (s *sides) settle(n int) {
	s.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
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

const events = "/wp-json/calendar/events/v1/events"

// TestWhoAnswers: each mode has its side answer, writes reach one side alone, and
// nothing but plain GETs is asked of both.
func TestWhoAnswers(t *testing.T) {
	for _, c := range []struct {
		mode Mode
		body string
	}{{Native, "ours"}, {Proxy, "theirs"}, {DiffNative, "ours"}, {DiffProxy, "theirs"}} {
		s := newSides(t, Plan{Mode: c.mode, Clients: 100, Compared: 100})
		single := []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "GET _method", "GET body", "GET header"}
		for _, method := range single {
			target, body, header := events, "", []string{}
			if method == "POST" {
				body = "title=x"
			}
			switch method {
			case "GET _method":
				method, target = "GET", events+"?_method=DELETE"
			case "GET body":
				method, body = "GET", "{}"
			case "GET header":
				method, header = "GET", []string{"X-HTTP-Method-Override: PUT"}
			}
			status, got := s.send(method, target, body, header...)
			if status != 200 || method != "HEAD" && !strings.HasPrefix(got, c.body) {
				t.Errorf("%s, %s %s: %d %q", c.mode, method, target, status, got)
			}
		}
		if status, got := s.send("GET", events, ""); status != 200 || !strings.HasPrefix(got, c.body) {
			t.Errorf("%s: %d %q", c.mode, status, got)
		}
		compared := strings.HasPrefix(string(c.mode), "diff")
		if compared {
			s.settle(1)
		}
		s.end()
		ours, theirs := len(s.native.seen()), s.wp.count()
		wantOurs, wantTheirs := len(single)+1, 0
		if c.body == "theirs" {
			wantOurs, wantTheirs = 0, len(single)+1
		}
		if compared { // once for the client, or else for the comparison; and once more to be sure
			if c.body == "theirs" {
				wantOurs += 2
				wantTheirs++
			} else {
				wantTheirs += 2
				wantOurs += 2
			}
			if got := s.notes.outcomes(); got != "/events different" {
				t.Errorf("%s: %s", c.mode, got)
			}
			if p := s.notes.kept[0]; string(p.Ours.Body) != "ours" || string(p.Theirs.Body) != "theirs" || p.Request.RequestURI != events {
				t.Errorf("%s: kept %q %q", c.mode, p.Ours.Body, p.Theirs.Body)
			}
		}
		if ours != wantOurs || theirs != wantTheirs {
			t.Errorf("%s: %d requests here, %d there; want %d and %d", c.mode, ours, theirs, wantOurs, wantTheirs)
		}
	}
}

// TestPassedOn: what WordPress is sent.
func TestPassedOn(t *testing.T) {
	s := newSides(t, Plan{Mode: Proxy, Clients: 100})
	for _, target := range []string{
		events, events + "?", events + "?search=a%2Fb;c&x=%zz", events + "/by-slug/a%2Fb%5c", events + "/by-slug/%C4%8D", "//wp-json/calendar/events/v1/events",
		"/?rest_route=%2Fcalendar%2Fevents%2Fv1%2Fevents", events + "/by-slug/\"x|y^\xc4\x8d",
	} {
		s.send("GET", target, "")
		if r, _ := s.wp.last(); r.RequestURI != target {
			t.Errorf("%s arrives as %s", target, r.RequestURI)
		}
	}
	s.send("POST", events, "title=A%20fair", "Content-Type: application/x-www-form-urlencoded", "Authorization: Basic YTpiIGM=", "Cookie: a=b", "X-WP-Nonce: 1",
		"X-Forwarded-For: 203.0.113.7, 192.0.2.9", "X-Forwarded-Proto: https", "X-Real-IP: 1.2.3.4", "Forwarded: for=1.2.3.4", "Connection: close, X-Secret", "X-Secret: 1",
		"Upgrade: websocket", "Accept-Encoding: br, gzip", "Te: trailers")
	r, body := s.wp.last()
	want := map[string]string{
		"Content-Type": "application/x-www-form-urlencoded", "Authorization": "Basic YTpiIGM=", "Cookie": "a=b", "X-Wp-Nonce": "1",
		"X-Forwarded-For": "192.0.2.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "town.example", Marker: "1", "Accept-Encoding": "gzip",
		"X-Real-Ip": "", "Forwarded": "", "X-Secret": "", "Upgrade": "", "User-Agent": "",
	}
	for name, value := range want {
		if got := r.Header.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	if body != "title=A%20fair" || r.Method != "POST" || r.Host != "town.example" {
		t.Errorf("%s to %s with %q", r.Method, r.Host, body)
	}
	named := newSides(t, Plan{Mode: Proxy, Clients: 100}, func(c *Config) { c.Upstream.Host = "other.example:8443" })
	named.send("GET", events, "")
	if r, _ := named.wp.last(); r.Host != "other.example:8443" || r.Header.Get("X-Forwarded-Host") != "town.example" {
		t.Errorf("host %s, forwarded %s", r.Host, r.Header.Get("X-Forwarded-Host"))
	}
}

// TestLoop: a request that has been here is not sent around again, in any mode.
func TestLoop(t *testing.T) {
	for _, mode := range Modes() {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100}, func(c *Config) {
			if c.Mode == Native {
				c.Upstream = nil
			}
		})
		if status, body := s.send("GET", events, "", Marker+": 1"); status != http.StatusLoopDetected || body != "calbridge_loop" {
			t.Errorf("%s: %d %s", mode, status, body)
		}
		if s.wp.count()+len(s.native.seen()) != 0 {
			t.Errorf("%s: passed on", mode)
		}
	}
}

// TestUpstreamFails: what clients get when WordPress does not answer.
func TestUpstreamFails(t *testing.T) {
	s := newSides(t, Plan{Mode: Proxy, Clients: 100}, func(c *Config) { c.Upstream.Timeout = 100 * time.Millisecond })
	release := make(chan struct{})
	s.wp.answers(func(http.ResponseWriter, *http.Request) { <-release })
	if status, body := s.send("GET", events, ""); status != http.StatusGatewayTimeout || body != "calbridge_upstream_slow" {
		t.Errorf("hanging: %d %s", status, body)
	}
	close(release)
	s.wp.answers(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if status, body := s.send("GET", events, ""); status != http.StatusBadGateway || body != "calbridge_upstream_away" {
		t.Errorf("cutting: %d %s", status, body)
	}
	s.wp.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	if status, body := s.send("GET", events, ""); status == 200 && !strings.Contains(body, "broken off") {
		t.Errorf("breaking off: looks whole to the client: %q", body)
	}
	s.wp.answers(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "theirs", http.StatusInternalServerError) })
	if status, body := s.send("GET", events, ""); status != 500 || !strings.HasPrefix(body, "theirs") {
		t.Errorf("failing: %d %s", status, body)
	}
	if status, body := s.send("POST", events, strings.Repeat("x", 1001)); status != 413 || body != "calbridge_too_large" {
		t.Errorf("large: %d %s", status, body)
	}
	if status, body := s.send("POST", events, "", "Transfer-Encoding: chunked\r\n\r\n7d0\r\n"+strings.Repeat("x", 2000)+"\r\n0"); status != 413 || body != "calbridge_too_large" {
		t.Errorf("large in chunks: %d %s", status, body)
	}
	s.wp.Close()
	if status, body := s.send("GET", events, ""); status != http.StatusBadGateway || body != "calbridge_upstream_away" {
		t.Errorf("away: %d %s", status, body)
	}
	want := "client slow, client away, client away, client failed, client toolarge, client away"
	if got := s.notes.results(); got != want {
		t.Errorf("observed %s, want %s", got, want)
	}
}

// TestContent: what calbridge cannot render, WordPress answers, as long as it does.
func TestContent(t *testing.T) {
	for _, mode := range []Mode{Native, DiffNative} {
		s := newSides(t, Plan{Mode: mode, Clients: 100, Compared: 100}, func(c *Config) { c.Upstream.Timeout = 100 * time.Millisecond })
		const target = events + "/by-slug/shop"
		if _, body := s.send("GET", target, ""); body != "theirs" {
			t.Errorf("%s: %q", mode, body)
		}
		if _, body := s.send("POST", target, "x=1"); body != "ours" {
			t.Errorf("%s, written: %q", mode, body)
		}
		s.wp.answers(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusBadGateway) })
		if status, body := s.send("GET", target, ""); status != 200 || body != "ours" {
			t.Errorf("%s, failing: %d %q", mode, status, body)
		}
		release := make(chan struct{})
		s.wp.answers(func(http.ResponseWriter, *http.Request) { <-release })
		if status, body := s.send("GET", target, ""); status != 200 || body != "ours" {
			t.Errorf("%s, hanging: %d %q", mode, status, body)
		}
		close(release)
		if got := s.notes.results(); got != "content answered, content failed, content slow" || !slices.Equal(s.notes.turned, []string{"[shop_cart]"}) {
			t.Errorf("%s: %s, turned %q", mode, got, s.notes.turned)
		}
		if got := s.notes.outcomes(); got != "" {
			t.Errorf("%s: compared %s", mode, got)
		}
	}
	s := newSides(t, Plan{Mode: DiffProxy, Clients: 100, Compared: 100})
	s.send("GET", events+"/by-slug/shop", "")
	s.settle(1)
	if got := s.notes.outcomes(); got != " unfaithful" {
		t.Errorf("compared %q", got)
	}
}

// TestShares: a client stays on its side, which grows with the share.
func TestShares(t *testing.T) {
	for _, bad := range []Plan{{"other", 100, 100}, {Native, -1, 100}, {Native, 101, 0}, {DiffProxy, 50, 200}} {
		if _, err := New(Config{Plan: bad, Upstream: &Upstream{URL: "http://127.0.0.1:1"}}); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	for _, bad := range []Plan{{Proxy, 100, 100}, {Native, 99, 100}, {DiffNative, 100, 100}} {
		if _, err := New(Config{Plan: bad}); err == nil {
			t.Errorf("%+v is taken without WordPress", bad)
		}
	}
	for _, bad := range []string{"", "127.0.0.1", "ftp://x", "http://x/y", "http://a:b@x", "http://x?y"} {
		if _, err := New(Config{Plan: Plan{Proxy, 100, 100}, Upstream: &Upstream{URL: bad}}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	var before []string
	for _, share := range []float64{0, 1, 10, 50, 100} {
		var in []string
		for i := range 5000 {
			if client := fmt.Sprintf("192.0.2.%d:%d", i%256, i); (Plan{Clients: share}).has(client) {
				in = append(in, client)
			}
		}
		if got := float64(len(in)) / 50; got < share*.7 || got > share*1.3 {
			t.Errorf("a share of %g %% has %g %% of the clients", share, got)
		}
		for _, client := range before {
			if !slices.Contains(in, client) {
				t.Errorf("%s has left the share of %g %%", client, share)
			}
		}
		before = in
	}
	s := newSides(t, Plan{Mode: Native, Clients: 50})
	sides := map[string]string{}
	for i := range 100 {
		client := fmt.Sprint("client", i%20)
		_, body := s.send("GET", events, "", "X-Test-Client: "+client)
		if side, known := sides[client]; known && side != body {
			t.Errorf("%s changes sides", client)
		}
		sides[client] = body
	}
	if n := len(s.native.seen()); n == 0 || n == 100 || s.wp.count() != 100-n {
		t.Errorf("%d of 100 requests are answered here", n)
	}
}

// TestEncodings: answers are compared as they were before being packed.
func TestEncodings(t *testing.T) {
	s := newSides(t, Plan{Mode: DiffProxy, Clients: 100, Compared: 100})
	s.native.body = strings.Repeat("equal ", 100)
	s.wp.answers(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", r.Header.Get("Accept-Encoding"))
		if r.URL.RawQuery == "odd" {
			w.Header().Set("Content-Encoding", "br")
		}
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, s.native.body)
		_ = z.Close()
	})
	s.send("GET", events, "", "Accept-Encoding: br, gzip")
	s.settle(1)
	s.send("GET", events+"?odd", "", "Accept-Encoding: gzip")
	s.settle(2)
	if got := s.notes.outcomes(); got != "/events same, /events incomplete" {
		t.Error(got)
	}
}
