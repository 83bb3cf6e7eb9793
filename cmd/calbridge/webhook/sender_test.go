package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"calbridge/rest/metrics"
	"calbridge/wpstore/guard"
)

const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// list is a calendar whose events a test changes. It keeps each state, and answers like events/changes.
type list struct {
	mu     sync.Mutex
	events map[int64]string   // by id: the title
	states []map[int64]string // at each token
	moved  chan struct{}
	gone   bool // tokens can't be used
	broken bool
	shown  map[string]bool // every state of every event that was ever visible
}

func newList() *list {
	return &list{events: map[int64]string{}, states: []map[int64]string{{}}, moved: make(chan struct{}), shown: map[string]bool{}}
}

func eventJSON(id int64, title string) string { return fmt.Sprintf(`{"id":%d,"title":%q}`, id, title) }

// change applies a change of the events.
func (l *list) change(do func(events map[int64]string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do(l.events)
	for id, title := range l.events {
		l.shown[eventJSON(id, title)] = true
	}
	l.states = append(l.states, maps.Clone(l.events))
	close(l.moved)
	l.moved = make(chan struct{})
}

func (l *list) Moved() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.moved
}

func (l *list) Source() string { return "https://town.example/wp-json/calendar/events/v1" }

// Changes answers in pages of two, in order of the ids. A page token names state and id.
func (l *list) Changes(_ context.Context, query string) (int, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	values, err := url.ParseQuery(query)
	if err != nil || values.Get("per_page") != "50" {
		return 0, nil, fmt.Errorf("query %q", query)
	}
	if l.broken {
		return http.StatusServiceUnavailable, []byte("{}"), nil
	}
	before, after, end := map[int64]string{}, int64(0), len(l.states)-1
	if token := values.Get("sync_token"); token != "" {
		n, _ := strconv.Atoi(token)
		before = l.states[n]
	}
	if token := values.Get("page_token"); token != "" {
		var n int
		_, _ = fmt.Sscanf(token, "%d-%d-%d", &n, &end, &after)
		if n >= 0 {
			before = l.states[n]
		}
	}
	if l.gone && (values.Has("sync_token") || values.Has("page_token")) {
		l.gone = false
		return http.StatusGone, []byte("{}"), nil
	}
	now := l.states[end]
	ids := map[int64]bool{}
	for id := range before {
		ids[id] = before[id] != now[id]
	}
	for id := range now {
		ids[id] = before[id] != now[id]
	}
	items, page := []string{}, 0
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if id <= after || !ids[id] {
			continue
		}
		if page++; page > 2 {
			start := -1
			if len(before) > 0 || values.Has("sync_token") {
				start = slices.IndexFunc(l.states, func(s map[int64]string) bool { return maps.Equal(s, before) })
			}
			return 200, fmt.Appendf(nil, `{"events":[%s],"page_token":"%d-%d-%d"}`, strings.Join(items, ","), start, end, after), nil
		}
		after = id
		if title, ok := now[id]; ok {
			items = append(items, eventJSON(id, title))
		} else {
			items = append(items, fmt.Sprintf(`{"id":%d,"deleted":true}`, id))
		}
	}
	return 200, fmt.Appendf(nil, `{"events":[%s],"sync_token":"%d"}`, strings.Join(items, ","), end), nil
}

// receiver is a system that gets webhooks. It verifies each with the published library, but for the time,
// which tests move, and keeps a copy of the list.
type receiver struct {
	*httptest.Server
	t *testing.T

	mu     sync.Mutex
	status func() int // what it answers; nil for 204
	copy   map[int64]string
	seen   map[string]bool // ids of messages
	kinds  []string
	header http.Header
	body   []byte
	// visible, if not nil, reports whether the data of an event was ever visible.
	visible func(data string) bool
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{t: t, copy: map[int64]string{}, seen: map[string]bool{}}
	r.Server = httptest.NewServer(http.HandlerFunc(r.receive))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) receive(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	verifier, broken := standard.NewWebhook(testSecret)
	if err := errors.Join(err, broken, verifier.VerifyIgnoringTimestamp(body, req.Header)); err != nil {
		r.t.Errorf("%v: %s", err, body)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.header, r.body = req.Header.Clone(), body
	if r.status != nil {
		if status := r.status(); status != 0 {
			w.WriteHeader(status)
			if status/100 != 2 {
				return
			}
		}
	}
	var m struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	var event struct {
		ID      int64  `json:"id"`
		Title   string `json:"title"`
		Deleted bool   `json:"deleted"`
	}
	if err := errors.Join(json.Unmarshal(body, &m), json.Unmarshal(m.Data, &event)); err != nil {
		r.t.Errorf("%v: %s", err, body)
	}
	id := req.Header.Get("Webhook-Id")
	if r.seen[id] {
		return // at least once
	}
	r.seen[id] = true
	r.kinds = append(r.kinds, fmt.Sprint(m.Type, " ", event.ID))
	if event.Deleted != (m.Type == Deleted) {
		r.t.Errorf("%s with %s", m.Type, m.Data)
	}
	if event.Deleted {
		if _, had := r.copy[event.ID]; !had {
			r.t.Errorf("deleted what was never sent: %d", event.ID)
		}
		delete(r.copy, event.ID)
		return
	}
	if r.visible != nil && !r.visible(string(m.Data)) {
		r.t.Errorf("never visible: %s", m.Data)
	}
	r.copy[event.ID] = event.Title
}

// has returns the receiver's copy of the list.
func (r *receiver) has() map[int64]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.copy)
}

func (r *receiver) answer(status func() int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.kinds)
}

// ahead is a clock that a test moves forward.
type ahead struct {
	mu sync.Mutex
	by time.Duration
}

func (a *ahead) now() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return time.Now().Add(a.by)
}

func (a *ahead) add(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.by += d
}

func newTarget(t *testing.T, name, url string) Target {
	t.Helper()
	secret, err := parseSecret(testSecret)
	if err != nil {
		t.Fatal(err)
	}
	return Target{Name: name, URL: url, Format: Changes, Private: true, secret: secret}
}

// alone returns the sites of a process that serves one.
func alone(c Calendar) func() ([]Site, <-chan struct{}) {
	return func() ([]Site, <-chan struct{}) { return []Site{{Calendar: c}}, nil }
}

func startSender(t *testing.T, dir string, l Calendar, now func() time.Time, targets ...Target) *Sender {
	t.Helper()
	return startSenderWith(t, Timeout, dir, alone(l), now, targets...)
}

// startSenderWith starts a Sender with another timeout of deliveries.
func startSenderWith(t *testing.T, timeout time.Duration, dir string, sites func() ([]Site, <-chan struct{}), now func() time.Time, targets ...Target) *Sender {
	t.Helper()
	m := metrics.New(metrics.Build{}, metrics.Values{Webhooks: Results()})
	logger := slog.New(slog.DiscardHandler)
	s, err := Start(t.Context(), Config{Targets: targets, Dir: dir, Sites: sites, Agent: "test", Timeout: timeout, Observer: m.Webhooks, Now: now, Logger: logger, Guard: guard.New(logger, func(string) {})})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("timeout: " + what)
		}
	}
}

// status returns the state of the deliveries to the only target.
func status(t *testing.T, s *Sender) Status {
	t.Helper()
	all, err := s.Statuses(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	return all[0]
}

// settled waits until a target has its baseline.
func settled(t *testing.T, s *Sender) {
	t.Helper()
	until(t, "baseline", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for key := range s.subscriptions {
			if p, err := s.store.position(t.Context(), key); err != nil || p.baseline {
				return false
			}
		}
		return true
	})
}

// wake makes all subscriptions look at once.
func wake(s *Sender) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.subscriptions {
		select {
		case one.wake <- struct{}{}:
		default:
		}
	}
}

// TestDeliveries checks what a target is told: of nothing that was there before, then of what is new, what
// differs and what is gone, in order, and again after a replay.
func TestDeliveries(t *testing.T) {
	l, r := newList(), newReceiver(t)
	l.change(func(e map[int64]string) { e[1], e[2], e[3] = "one", "two", "three" })
	s := startSender(t, t.TempDir(), l, time.Now, newTarget(t, "crm", r.URL))
	defer s.Close()
	settled(t, s)
	l.change(func(e map[int64]string) { e[2], e[4] = "two again", "four"; delete(e, 3) })
	want := []string{"event.updated 2", "event.deleted 3", "event.created 4"}
	r.mu.Lock()
	r.copy[3] = "three" // it was there before
	r.mu.Unlock()
	until(t, "changes", func() bool { return len(r.got()) == len(want) })
	if !slices.Equal(r.got(), want) {
		t.Errorf("%q", r.got())
	}
	if r.header.Get("Content-Type") != "application/json" || r.header.Get("User-Agent") != "test" {
		t.Errorf("%v", r.header)
	}
	if err := s.Replay(t.Context(), "crm"); err != nil {
		t.Fatal(err)
	}
	want = append(want, "event.updated 1", "event.updated 2", "event.updated 4")
	until(t, "replay", func() bool { return len(r.got()) == len(want) })
	if !slices.Equal(r.got(), want) {
		t.Errorf("%q", r.got())
	}
	until(t, "status", func() bool { one := status(t, s); return one.Delivered == 6 && one.Pending == 0 && !one.Last.IsZero() })
	if err := s.Replay(t.Context(), "other"); !errors.Is(err, ErrUnknownTarget) {
		t.Error(err)
	}
}

// TestKindsAndFormat checks that a target gets the kinds and the format that it wants.
func TestKindsAndFormat(t *testing.T) {
	l, r := newList(), newReceiver(t)
	target := newTarget(t, "crm", r.URL)
	target.Kinds, target.Format, target.Filters = []string{Created}, CloudEvents, "categories=music"
	s := startSender(t, t.TempDir(), l, time.Now, target)
	defer s.Close()
	settled(t, s)
	l.change(func(e map[int64]string) { e[1] = "one" })
	until(t, "first", func() bool { return len(r.got()) == 1 })
	l.change(func(e map[int64]string) { e[1] = "one again" })
	l.change(func(e map[int64]string) { e[2] = "two" })
	until(t, "second", func() bool { return len(r.got()) == 2 })
	if !slices.Equal(r.got(), []string{"event.created 1", "event.created 2"}) {
		t.Errorf("%q", r.got())
	}
	var m map[string]any
	if err := json.Unmarshal(r.body, &m); err != nil {
		t.Fatal(err)
	}
	if m["specversion"] != "1.0" || m["id"] != r.header.Get("Webhook-Id") || m["source"] != l.Source() || m["type"] != Created || m["subject"] != "events/2" || m["datacontenttype"] != "application/json" ||
		!strings.HasPrefix(r.header.Get("Content-Type"), "application/cloudevents+json") {
		t.Errorf("%s %v", r.body, r.header)
	}
	if _, err := time.Parse(time.RFC3339Nano, fmt.Sprint(m["time"])); err != nil {
		t.Error(err)
	}
}

// TestRetries checks that a failed delivery is sent again with the same id when it is due, that later
// changes wait, and that after days the target is disabled until a replay.
func TestRetries(t *testing.T) {
	l, r, clock := newList(), newReceiver(t), &ahead{}
	s := startSender(t, t.TempDir(), l, clock.now, newTarget(t, "crm", r.URL))
	defer s.Close()
	settled(t, s)
	r.answer(func() int { return http.StatusInternalServerError })
	l.change(func(e map[int64]string) { e[1] = "one" })
	until(t, "first attempt", func() bool { return status(t, s).Attempts == 1 })
	id := r.header.Get("Webhook-Id")
	l.change(func(e map[int64]string) { e[1], e[2] = "one again", "two" })
	one := status(t, s)
	if one.Error != "status 500" || one.Pending != 1 || one.Due.Sub(one.Oldest) < 4*time.Second {
		t.Errorf("%+v", one)
	}
	for attempts := 2; attempts <= len(delays)+1; attempts++ {
		clock.add(27 * time.Hour)
		wake(s)
		until(t, fmt.Sprint("attempt ", attempts), func() bool { return status(t, s).Attempts == attempts })
	}
	if r.header.Get("Webhook-Id") != id {
		t.Error("another id")
	}
	until(t, "disabled", func() bool { return !status(t, s).Disabled.IsZero() })
	if f := s.figures(t.Context()); f.Disabled != 1 || f.Targets != 1 || f.Pending != 1 || !f.Oldest.IsZero() {
		t.Errorf("%+v", f)
	}
	r.answer(nil)
	if err := s.Replay(t.Context(), "crm"); err != nil {
		t.Fatal(err)
	}
	until(t, "enabled", func() bool { return maps.Equal(r.has(), map[int64]string{1: "one again", 2: "two"}) })
	r.answer(func() int { return http.StatusGone })
	l.change(func(e map[int64]string) { e[1] = "gone" })
	until(t, "410", func() bool { return !status(t, s).Disabled.IsZero() })
}

// TestTimeout checks that a target that doesn't answer in time is tried again, and accepts the delivery then.
func TestTimeout(t *testing.T) {
	if Timeout != 15*time.Second {
		t.Errorf("the timeout is %s; docker/webhooks.md says 15 seconds", Timeout)
	}
	l, r, clock := newList(), newReceiver(t), &ahead{}
	release := make(chan struct{})
	var asked atomic.Int64
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if asked.Add(1) == 1 {
			<-release
			return
		}
		r.receive(w, req)
	}))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(release) })
	s := startSenderWith(t, 50*time.Millisecond, t.TempDir(), alone(l), clock.now, newTarget(t, "crm", slow.URL))
	defer s.Close()
	settled(t, s)
	l.change(func(e map[int64]string) { e[1] = "one" })
	until(t, "first attempt", func() bool { return status(t, s).Attempts == 1 })
	if one := status(t, s); !strings.Contains(one.Error, "Client.Timeout") || one.Pending != 1 {
		t.Errorf("%+v", one)
	}
	s.poster.private.Timeout = Timeout // the second attempt may take longer on a busy machine
	clock.add(time.Minute)
	wake(s)
	until(t, "second attempt", func() bool { return maps.Equal(r.has(), map[int64]string{1: "one"}) })
}

// TestNPMAccepts checks that npm's library of Standard Webhooks accepts deliveries of each kind and
// format, and the one of `calbridge webhooks test`. It needs node, and standardwebhooks in NODE_PATH.
func TestNPMAccepts(t *testing.T) {
	if out, err := exec.Command("node", "-e", "require.resolve('standardwebhooks')").CombinedOutput(); err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_WEBHOOKS") == "1" {
			t.Fatalf("%v: %s", err, out)
		}
		t.Skip("npm's standardwebhooks is not installed where NODE_PATH leads; set CALBRIDGE_REQUIRE_WEBHOOKS=1 to insist on it")
	}
	type delivery struct {
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	}
	var mu sync.Mutex
	var got []delivery
	r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		d := delivery{map[string]string{}, string(body)}
		for name := range req.Header {
			d.Headers[strings.ToLower(name)] = req.Header.Get(name)
		}
		mu.Lock()
		defer mu.Unlock()
		got = append(got, d)
	}))
	t.Cleanup(r.Close)
	received := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(got)
	}
	l := newList()
	plain, events := newTarget(t, "plain", r.URL), newTarget(t, "events", r.URL)
	events.Format = CloudEvents
	s := startSender(t, t.TempDir(), l, time.Now, plain, events)
	defer s.Close()
	settled(t, s)
	for i, change := range []func(e map[int64]string){
		func(e map[int64]string) { e[1] = "Žluťoučký kůň & <b>\"quotes\"</b>" },
		func(e map[int64]string) { e[1] = "again" },
		func(e map[int64]string) { delete(e, 1) },
	} {
		l.change(change)
		until(t, "deliveries", func() bool { return received() == 2*(i+1) })
	}
	if err := Test(t.Context(), &plain, "test", l.Source(), time.Now()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	in, err := json.Marshal(got)
	mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "testdata/verify.cjs", testSecret)
	cmd.Stdin = bytes.NewReader(in)
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "7" {
		t.Errorf("%v: %s", err, out)
	}
}

// TestCrashes changes a list at random while the target fails at random, tokens expire and the sender
// is stopped in the middle. In the end the target has the list, and never got what was never visible.
func TestCrashes(t *testing.T) {
	l, r, clock, dir := newList(), newReceiver(t), &ahead{}, t.TempDir()
	r.visible = func(data string) bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.shown[data]
	}
	random := rand.New(rand.NewPCG(1, 2))
	var mu sync.Mutex
	draw := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return random.IntN(n)
	}
	s := startSender(t, dir, l, clock.now, newTarget(t, "crm", r.URL))
	settled(t, s)
	r.answer(func() int { return []int{0, 0, 0, 500, 429}[draw(5)] })
	for range 300 {
		l.change(func(e map[int64]string) {
			id := int64(1 + draw(12))
			if draw(3) == 0 {
				delete(e, id)
			} else {
				e[id] = fmt.Sprint("title ", draw(1000))
			}
		})
		switch draw(12) {
		case 0:
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = startSender(t, dir, l, clock.now, newTarget(t, "crm", r.URL))
		case 1:
			l.mu.Lock()
			l.gone = true
			l.mu.Unlock()
		case 2:
			time.Sleep(3 * time.Millisecond)
		}
		clock.add(time.Duration(draw(120)) * time.Second)
	}
	r.answer(nil)
	until(t, "the list", func() bool {
		clock.add(time.Minute)
		wake(s)
		if !status(t, s).Disabled.IsZero() {
			t.Fatal("disabled")
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		return maps.Equal(r.has(), l.events)
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d deliveries", len(r.got()))
}

// TestTargetsChange checks that another process can't use the folder, and what becomes of targets that
// leave the file.
func TestTargetsChange(t *testing.T) {
	l, r, dir := newList(), newReceiver(t), t.TempDir()
	l.change(func(e map[int64]string) { e[1] = "one" })
	s := startSender(t, dir, l, time.Now, newTarget(t, "crm", r.URL), newTarget(t, "other", r.URL))
	settled(t, s)
	if _, err := openStore(t.Context(), dir, time.Now); err == nil {
		t.Error("two processes use the folder")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = startSender(t, dir, l, time.Now, newTarget(t, "other", r.URL))
	defer s.Close()
	if known, err := s.store.statuses(t.Context()); err != nil || len(known) != 1 {
		t.Errorf("%v %v", known, err)
	}
	if p, err := s.store.position(t.Context(), "other"); err != nil || p.baseline {
		t.Errorf("%+v %v", p, err)
	}
}

// TestTrouble checks that a list that can't be read is tried again, and that the log names the reason once.
func TestTrouble(t *testing.T) {
	l, r := newList(), newReceiver(t)
	l.broken = true
	warned := make(chan string, 100)
	m := metrics.New(metrics.Build{}, metrics.Values{Webhooks: Results()})
	logger := slog.New(slog.NewTextHandler(lines(warned), nil))
	s, err := Start(t.Context(), Config{
		Targets: []Target{newTarget(t, "crm", r.URL)}, Dir: t.TempDir(), Sites: alone(l), Agent: "test", Timeout: Timeout,
		Observer: m.Webhooks, Now: time.Now, Logger: logger, Guard: guard.New(logger, func(string) {}),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	select {
	case line := <-warned:
		if !strings.Contains(line, "status 503") {
			t.Error(line)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("no warning")
	}
	l.mu.Lock()
	l.broken = false
	l.mu.Unlock()
	settled(t, s)
	if len(warned) > 0 {
		t.Errorf("warned again: %s", <-warned)
	}
}

// lines is a writer that sends what is written.
type lines chan<- string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}
