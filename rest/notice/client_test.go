package notice

import (
	"context"
	"encoding/json"
	"errors"
	"io"
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

// wordpress is a plugin that remembers what it was told.
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

// told is everything that was delivered, as one notice.
func (w *wordpress) told() Notice {
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

func newClient(t *testing.T, site string, change func(*Options)) *Client {
	t.Helper()
	o := Options{Site: site, Secret: testSecret, MinBackoff: time.Millisecond, MaxBackoff: 5 * time.Millisecond}
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
	return c
}

func closeClient(c *Client, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	return c.Close(ctx)
}

func TestManyNoticesArriveInFewRequests(t *testing.T) {
	all := make(chan struct{})
	w := newWordPress(t, func(int) int { <-all; return 200 })
	var sent atomic.Int64
	c := newClient(t, w.URL, func(o *Options) {
		o.Timeout = time.Minute
		o.Metrics.Sent = func(n int, _ time.Duration) { sent.Add(int64(n)) }
	})
	var want []int64
	for id := int64(1); id <= 1000; id++ {
		c.Send(Notice{Posts: []int64{id}, Options: []string{"same"}})
		want = append(want, id)
	}
	close(all)
	if err := closeClient(c, time.Minute); err != nil {
		t.Fatal(err)
	}
	got := w.told()
	if !slices.Equal(got.Posts, want) || !slices.Equal(got.Options, []string{"same"}) || got.All {
		t.Errorf("%d posts, options %q, all %v", len(got.Posts), got.Options, got.All)
	}
	if w.tries > 100 || sent.Load() != 1000 {
		t.Errorf("%d requests for %d notices", w.tries, sent.Load())
	}
}

func TestFailuresAreRetried(t *testing.T) {
	answers := []int{0, 500, 401, 404, 301, 200}
	w := newWordPress(t, func(n int) int { return answers[min(n-1, len(answers)-1)] })
	var failed []string
	c := newClient(t, w.URL+"/blog", func(o *Options) {
		o.Metrics.Failed = func(err error) { failed = append(failed, err.Error()) }
	})
	c.Send(Notice{Posts: []int64{7}})
	w.wait()
	c.Send(Notice{Posts: []int64{8}})
	if err := closeClient(c, time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := w.told(); !slices.Equal(got.Posts, []int64{7, 8}) || got.All {
		t.Errorf("told %+v", got)
	}
	if len(failed) != 5 || !strings.Contains(failed[1], "500: as asked") {
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
			if r.Host != "site.test" {
				t.Errorf("host %q", r.Host)
			}
			w.Header().Set("Location", "https://elsewhere.test/")
			w.WriteHeader(test.code)
			_, _ = io.WriteString(w, test.body)
		}))
		c := newClient(t, server.URL, func(o *Options) { o.Host = "site.test" })
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
	var lost, dropped atomic.Int64
	c := newClient(t, server.URL, func(o *Options) {
		o.Capacity, o.Timeout = 100, time.Hour
		o.Metrics.Lost = func(n int, reason string) {
			lost.Add(int64(n))
			if reason == "overflow" {
				dropped.Add(int64(n))
			}
		}
	})
	for id := int64(1); id <= 10000; id++ { // the server hangs
		c.Send(Notice{Posts: []int64{id}})
	}
	if dropped.Load() == 0 {
		t.Error("nothing overflowed")
	}
	if err := closeClient(c, 50*time.Millisecond); err == nil { // it hangs still
		t.Error("Close says that all were delivered")
	}
	if lost.Load() != 10000 {
		t.Errorf("%d of 10,000 counted as lost", lost.Load())
	}
	c.Send(Notice{Posts: []int64{1}})
	if lost.Load() != 10001 {
		t.Error("a notice after Close is not counted")
	}
}

// What was lost is made good: the next notice that arrives says All.
func TestLossEndsInAll(t *testing.T) {
	t.Run("overflow", func(t *testing.T) {
		var open atomic.Bool
		w := newWordPress(t, func(int) int {
			if open.Load() {
				return 200
			}
			return 503
		})
		c := newClient(t, w.URL, func(o *Options) {
			o.Capacity = 3
			o.MinBackoff, o.MaxBackoff = 20*time.Millisecond, 20*time.Millisecond
		})
		for id := int64(1); id <= 50; id++ {
			c.Send(Notice{Posts: []int64{id}})
		}
		open.Store(true)
		if err := closeClient(c, time.Minute); err != nil {
			t.Fatal(err)
		}
		if got := w.told(); !got.All || !slices.Contains(got.Posts, 50) {
			t.Errorf("told %+v", got)
		}
	})
	t.Run("age", func(t *testing.T) {
		w := newWordPress(t, func(n int) int {
			if n < 10 {
				return 503
			}
			return 200
		})
		var aged atomic.Int64
		c := newClient(t, w.URL, func(o *Options) {
			o.MaxAge = time.Millisecond
			o.MinBackoff = 4 * time.Millisecond
			o.Metrics.Lost = func(n int, reason string) {
				if reason == "age" {
					aged.Add(int64(n))
				}
			}
		})
		c.Send(Notice{Posts: []int64{1}, Cron: true})
		w.wait()
		if got := w.told(); !got.All || len(got.Posts) != 0 || aged.Load() != 1 {
			t.Errorf("told %+v, %d lost by age", got, aged.Load())
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
		if got := w.told(); !got.All {
			t.Errorf("told %+v", got)
		}
	})
	t.Run("too much to name", func(t *testing.T) {
		w := newWordPress(t, nil)
		c := newClient(t, w.URL, nil)
		c.Send(Notice{Posts: make([]int64, MaxItems+1), Cron: true})
		w.wait()
		if got := w.told(); !got.All || !got.Cron {
			t.Errorf("told %+v", got)
		}
	})
}

func TestWaking(t *testing.T) {
	w := newWordPress(t, nil)
	newClient(t, w.URL, func(o *Options) { o.WakeEvery = 5 * time.Millisecond })
	w.wait()
	w.wait()
	if got := w.told(); !got.Cron || got.names() {
		t.Errorf("told %+v", got)
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
	var first atomic.Pointer[error]
	c := newClient(t, server.URL, func(o *Options) {
		o.Timeout = 50 * time.Millisecond
		o.Metrics.Failed = func(err error) { first.CompareAndSwap(nil, &err) }
	})
	c.Send(Notice{Users: []int64{1}})
	if err := closeClient(c, time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := first.Load(); err == nil || !errors.Is(*err, context.DeadlineExceeded) {
		t.Errorf("the first attempt: %v", err)
	}
}

func TestConcurrentSendersAndClose(t *testing.T) {
	w := newWordPress(t, func(n int) int { return []int{200, 200, 500}[n%3] })
	var lost atomic.Int64
	c := newClient(t, w.URL, func(o *Options) {
		o.Metrics.Lost = func(n int, _ string) { lost.Add(int64(n)) }
	})
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
	if got := w.told(); len(got.Posts) != 1600 || lost.Load() != 0 {
		t.Errorf("%d posts told, %d lost", len(got.Posts), lost.Load())
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
			t.Errorf("%+v is taken", o)
		}
	}
}

func TestPauseIsBounded(t *testing.T) {
	o := Options{MinBackoff: 100 * time.Millisecond, MaxBackoff: time.Second}
	for failures := 1; failures < 200; failures++ {
		if d := o.pause(failures); d < 50*time.Millisecond || d > time.Second {
			t.Fatalf("pause %d: %s", failures, d)
		}
	}
}
