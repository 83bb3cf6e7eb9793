package notice

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const testSecret = "0123456789abcdef0123456789abcdef"

// records counts what a client logs.
type records struct {
	mu     sync.Mutex
	failed []error
	lost   map[string]int // by reason
}

func (*records) Enabled(context.Context, slog.Level) bool { return true }
func (r *records) WithAttrs([]slog.Attr) slog.Handler     { return r }
func (r *records) WithGroup(string) slog.Handler          { return r }
func (r *records) Handle(_ context.Context, l slog.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	attrs := map[string]slog.Value{}
	l.Attrs(func(a slog.Attr) bool { attrs[a.Key] = a.Value; return true })
	if err, ok := attrs["error"]; ok {
		r.failed = append(r.failed, err.Any().(error))
	}
	if n, ok := attrs["notices"]; ok {
		r.lost[attrs["reason"].String()] += int(n.Int64())
	}
	return nil
}

func (r *records) failures() []error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.failed)
}

func (r *records) losses(reasons ...string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, reason := range reasons {
		n += r.lost[reason]
	}
	return n
}

// wordpress is a plugin that remembers its notices.
type wordpress struct {
	*httptest.Server
	t *testing.T

	mu      sync.Mutex
	got     []Notice
	nonces  []string
	answers func(attempt int) int // status of each request from 1; 0 hangs up
	tries   int
	arrived chan struct{}
}

func newWordPress(t *testing.T, answers func(attempt int) int) *wordpress {
	w := &wordpress{t: t, answers: answers, arrived: make(chan struct{}, 10000)}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

func (w *wordpress) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tries++
	code := http.StatusOK
	if w.answers != nil {
		code = w.answers(w.tries)
	}
	if code == 0 {
		panic(http.ErrAbortHandler)
	}
	nonce, _, err := verify(r.Header, testSecret, noticeToWordPress, time.Now(), time.Minute, body)
	if err != nil || slices.Contains(w.nonces, nonce) {
		w.t.Errorf("request %d: %v, nonce %q", w.tries, err, nonce)
	}
	w.nonces = append(w.nonces, nonce)
	if code == http.StatusOK {
		n, err := Decode(body)
		if err != nil {
			w.t.Error(err)
		}
		w.got = append(w.got, n)
		defer func() { w.arrived <- struct{}{} }()
	}
	rw.WriteHeader(code)
	_ = json.NewEncoder(rw).Encode(map[string]string{"companion": "1", "error": "as asked"})
}

// received returns everything that was delivered, as one notice.
func (w *wordpress) received() Notice {
	w.mu.Lock()
	defer w.mu.Unlock()
	return merge(append([]Notice{{}}, w.got...))
}

func (w *wordpress) wait() {
	w.t.Helper()
	select {
	case <-w.arrived:
	case <-time.After(time.Minute):
		w.t.Fatal("no notice arrived")
	}
}

func newClient(t *testing.T, site string, change func(*Options)) (*Client, *records) {
	t.Helper()
	log := &records{lost: map[string]int{}}
	o := Options{Site: site, Secret: testSecret, Logger: slog.New(log), limits: defaultLimits()}
	o.limits.minBackoff, o.limits.maxBackoff = time.Millisecond, 5*time.Millisecond
	if change != nil {
		change(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = c.Close(ctx)
	})
	return c, log
}

func closeClient(c *Client, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	return c.Close(ctx)
}

func TestManyNoticesArriveInFewRequests(t *testing.T) {
	all := make(chan struct{})
	w := newWordPress(t, func(int) int { <-all; return 200 })
	c, _ := newClient(t, w.URL, func(o *Options) { o.Timeout = time.Minute })
	var want []int64
	for id := int64(1); id <= 1000; id++ {
		c.Send(Notice{Posts: []int64{id}, Options: []string{"same"}})
		want = append(want, id)
	}
	close(all)
	if err := closeClient(c, time.Minute); err != nil {
		t.Fatal(err)
	}
	got := w.received()
	if !slices.Equal(got.Posts, want) || !slices.Equal(got.Options, []string{"same"}) || got.All {
		t.Errorf("%d posts, options %q, all %v", len(got.Posts), got.Options, got.All)
	}
	if w.tries > 100 {
		t.Errorf("%d requests", w.tries)
	}
}

func TestFailuresAreRetried(t *testing.T) {
	answers := []int{0, 500, 401, 404, 301, 200}
	w := newWordPress(t, func(n int) int { return answers[min(n-1, len(answers)-1)] })
	c, log := newClient(t, w.URL+"/blog", nil)
	c.Send(Notice{Posts: []int64{7}})
	w.wait()
	c.Send(Notice{Posts: []int64{8}})
	if err := closeClient(c, time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := w.received(); !slices.Equal(got.Posts, []int64{7, 8}) || got.All {
		t.Errorf("received %+v", got)
	}
	if failed := log.failures(); len(failed) != 5 || !strings.Contains(failed[1].Error(), "500: as asked") {
		t.Errorf("failures: %q", failed)
	}
}

func TestWhatIsNotThePluginIsFailure(t *testing.T) {
	for _, test := range []struct {
		code       int
		body, want string
	}{
		{200, "<!DOCTYPE html>", "no answer of the companion plugin"},
		{200, `{"name":"site"}`, "no answer of the companion plugin"},
		{404, `{"code":"x"}`, "not installed"},
		{302, "", "redirects"},
		{401, `{"companion":"1","error":"the signature is wrong"}`, "the signature is wrong"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Host != "site.test" || r.UserAgent() != "calbridge/1.2.3" {
				t.Errorf("host %q, user agent %q", r.Host, r.UserAgent())
			}
			w.Header().Set("Location", "https://elsewhere.test/")
			w.WriteHeader(test.code)
			_, _ = io.WriteString(w, test.body)
		}))
		c, _ := newClient(t, server.URL, func(o *Options) { o.Host, o.Agent = "site.test", "calbridge/1.2.3" })
		_, err := c.Status(t.Context())
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d %s: %v", test.code, test.body, err)
		}
		server.Close()
	}
}

func TestSendNeverWaits(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(release)
	c, log := newClient(t, server.URL, func(o *Options) { o.limits.capacity, o.Timeout = 100, time.Hour })
	for id := int64(1); id <= 10000; id++ { // the server hangs
		c.Send(Notice{Posts: []int64{id}})
	}
	if log.losses("overflow") == 0 {
		t.Error("nothing overflowed")
	}
	if err := closeClient(c, 50*time.Millisecond); err == nil { // it hangs still
		t.Error("Close reports that all were delivered")
	}
	if lost := log.losses("overflow", "closed"); lost != 10000 {
		t.Errorf("%d of 10,000 counted as lost", lost)
	}
	c.Send(Notice{Posts: []int64{1}})
	if log.losses("overflow", "closed") != 10001 {
		t.Error("a notice after Close is not counted")
	}
}

// The next notice that arrives makes up for lost ones: it has All.
func TestLossEndsInAll(t *testing.T) {
	t.Run("overflow", func(t *testing.T) {
		var open atomic.Bool
		w := newWordPress(t, func(int) int {
			if open.Load() {
				return 200
			}
			return 503
		})
		c, _ := newClient(t, w.URL, func(o *Options) {
			o.limits.capacity, o.limits.minBackoff, o.limits.maxBackoff = 3, 20*time.Millisecond, 20*time.Millisecond
		})
		for id := int64(1); id <= 50; id++ {
			c.Send(Notice{Posts: []int64{id}})
		}
		open.Store(true)
		if err := closeClient(c, time.Minute); err != nil {
			t.Fatal(err)
		}
		if got := w.received(); !got.All || !slices.Contains(got.Posts, 50) {
			t.Errorf("received %+v", got)
		}
	})
	t.Run("age", func(t *testing.T) {
		w := newWordPress(t, func(n int) int {
			if n < 10 {
				return 503
			}
			return 200
		})
		c, log := newClient(t, w.URL, func(o *Options) { o.limits.maxAge, o.limits.minBackoff = time.Millisecond, 4*time.Millisecond })
		c.Send(Notice{Posts: []int64{1}, Cron: true})
		w.wait()
		if got := w.received(); !got.All || len(got.Posts) != 0 || log.losses("age") != 1 {
			t.Errorf("received %+v, %d lost by age", got, log.losses("age"))
		}
		c.Send(Notice{Posts: []int64{2}})
		w.wait()
		if w.got[1].All {
			t.Error("All is said twice")
		}
	})
	t.Run("before the start", func(t *testing.T) {
		w := newWordPress(t, nil)
		newClient(t, w.URL, func(o *Options) { o.Stale = true })
		w.wait()
		if got := w.received(); !got.All {
			t.Errorf("received %+v", got)
		}
	})
	t.Run("too much to name", func(t *testing.T) {
		w := newWordPress(t, nil)
		c, _ := newClient(t, w.URL, nil)
		c.Send(Notice{Posts: make([]int64, MaxItems+1), Cron: true})
		w.wait()
		if got := w.received(); !got.All || !got.Cron {
			t.Errorf("received %+v", got)
		}
	})
}

func TestWaking(t *testing.T) {
	w := newWordPress(t, nil)
	newClient(t, w.URL, func(o *Options) { o.WakeEvery = 5 * time.Millisecond })
	w.wait()
	w.wait()
	if got := w.received(); !got.Cron || got.names() {
		t.Errorf("received %+v", got)
	}
}

func TestSlowServerIsGivenUp(t *testing.T) {
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then is a hang-up noticed
		if calls.Add(1) == 1 {
			<-r.Context().Done()
			return
		}
		_, _ = io.WriteString(w, `{"companion":"1"}`)
	}))
	defer server.Close()
	c, log := newClient(t, server.URL, func(o *Options) { o.Timeout = 50 * time.Millisecond })
	c.Send(Notice{Users: []int64{1}})
	if err := closeClient(c, time.Minute); err != nil {
		t.Fatal(err)
	}
	if failed := log.failures(); len(failed) == 0 || !errors.Is(failed[0], context.DeadlineExceeded) {
		t.Errorf("the first attempt: %v", failed)
	}
}

func TestConcurrentSendersAndClose(t *testing.T) {
	w := newWordPress(t, func(n int) int { return []int{200, 200, 500}[n%3] })
	c, log := newClient(t, w.URL, nil)
	var senders sync.WaitGroup
	for s := range 8 {
		senders.Go(func() {
			for i := range 200 {
				c.Send(Notice{Posts: []int64{int64(s*1000 + i + 1)}})
			}
		})
	}
	senders.Wait()
	var closers sync.WaitGroup
	for range 3 {
		closers.Go(func() {
			if err := closeClient(c, time.Minute); err != nil {
				t.Error(err)
			}
		})
	}
	closers.Wait()
	if got := w.received(); len(got.Posts) != 1600 || log.losses("age", "overflow", "closed") != 0 {
		t.Errorf("%d posts received, %v lost", len(got.Posts), log.lost)
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []Options{
		{Site: "http://x/", Secret: "short"},
		{Site: "x.test", Secret: testSecret},
		{Site: "ftp://x", Secret: testSecret},
		{Site: "http://", Secret: testSecret},
		{Site: "http://%zz", Secret: testSecret},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func TestBackoffIsBounded(t *testing.T) {
	l := limits{minBackoff: 100 * time.Millisecond, maxBackoff: time.Second}
	for failures := 1; failures < 200; failures++ {
		if d := l.backoff(failures); d < 50*time.Millisecond || d > time.Second {
			t.Fatalf("pause %d: %s", failures, d)
		}
	}
}
