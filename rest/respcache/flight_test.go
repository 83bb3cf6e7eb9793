package respcache

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/wpstore/invalidation"
)

// flights is a Reader with a Builder that waits until it is released.
type flights struct {
	t       *testing.T
	door    Reader
	tracker *invalidation.Tracker
	release chan struct{}
	builds  atomic.Int32
	// response is what is built.
	response api.Response
}

// testFlights runs a test in a bubble of its own, where time stands still.
func testFlights(t *testing.T, test func(*flights)) {
	synctest.Test(t, func(t *testing.T) {
		f := &flights{t: t, tracker: invalidation.NewTracker(), release: make(chan struct{}), response: api.Response{Status: 200, Body: []byte("a"), Shared: true, Repeats: true}}
		f.tracker.Resume(true)
		f.door = Reader{
			Cache: New(f.tracker, 1<<20, nil), Tracker: f.tracker, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
			Client:  func(*http.Request) (string, bool) { return "192.0.2.1", false },
			Cookies: func() *wpauth.CookieNames { return nil },
		}
		test(f)
		f.door.Cache.Close()
	})
}

// outcome is what one request got.
type outcome struct {
	built  string // by the request itself
	shared *Answer
	result api.CacheResult
}

// ask begins a request. Its outcome can be received once it is answered.
func (f *flights) ask(ctx context.Context) <-chan outcome {
	k := f.door.LookUp(ctx, httptest.NewRequest("GET", "/events", nil))
	done := make(chan outcome, 1)
	go func() {
		built, shared := Build(ctx, &k, func(ctx context.Context, depends *invalidation.Dependencies) (string, *Answer) {
			f.builds.Add(1)
			at := time.Now()
			depends.On(invalidation.Post, 1)
			response := f.response
			select {
			case <-f.release:
			case <-ctx.Done():
				return ctx.Err().Error(), nil
			}
			return "own", NewAnswer(&response, "/events", "cs", at)
		})
		done <- outcome{built, shared, k.Result}
	}()
	synctest.Wait()
	return done
}

func (f *flights) want(what string, got <-chan outcome, built string, result api.CacheResult, builds int) {
	f.t.Helper()
	o := <-got
	synctest.Wait()
	if o.built != built || (o.shared != nil) != (built == "") || o.result != result || int(f.builds.Load()) != builds {
		f.t.Errorf("%s: %+v after %d builds", what, o, f.builds.Load())
	}
}

func TestOneBuildsForAll(t *testing.T) {
	testFlights(t, func(f *flights) {
		leader := f.ask(f.t.Context())
		var followers []<-chan outcome
		for range 20 {
			followers = append(followers, f.ask(f.t.Context()))
		}
		close(f.release)
		f.want("leader", leader, "own", api.CacheMiss, 1)
		for _, follower := range followers {
			f.want("follower", follower, "", api.CacheHit, 1)
		}
		if k := f.door.LookUp(f.t.Context(), httptest.NewRequest("GET", "/events", nil)); k.Result != api.CacheHit || string(k.Found.Body) != "a" {
			t.Errorf("afterwards: %+v", k)
		}
	})
}

// TestLeaderGone: the work goes on for the followers without the client that began it.
func TestLeaderGone(t *testing.T) {
	testFlights(t, func(f *flights) {
		ctx, cancel := context.WithCancel(f.t.Context())
		leader := f.ask(ctx)
		follower := f.ask(f.t.Context())
		cancel()
		f.want("leader", leader, context.Canceled.Error(), api.CacheMiss, 2) // which fails at once
		close(f.release)
		f.want("follower", follower, "", api.CacheHit, 2)
	})
}

// TestLeaderTimesOut: the work ends at the leader's deadline; the follower, who came
// later, has time to build its own.
func TestLeaderTimesOut(t *testing.T) {
	testFlights(t, func(f *flights) {
		early, cancel := context.WithTimeout(f.t.Context(), time.Second)
		defer cancel()
		late, cancel := context.WithTimeout(f.t.Context(), 2*time.Second)
		defer cancel()
		leader, follower := f.ask(early), f.ask(late)
		time.Sleep(time.Second)
		synctest.Wait()
		close(f.release)
		if o := <-leader; o.built != context.DeadlineExceeded.Error() && o.built != "own" {
			t.Errorf("leader: %+v", o)
		}
		if o := <-follower; o.built != "own" {
			t.Errorf("follower: %+v", o)
		}
	})
}

func TestNotCacheable(t *testing.T) {
	testFlights(t, func(f *flights) {
		f.response.Shared, f.response.Repeats = false, false
		leader, follower := f.ask(f.t.Context()), f.ask(f.t.Context())
		close(f.release)
		<-leader
		f.want("follower", follower, "own", api.CacheMiss, 2)
		if answers, _ := f.door.Cache.Size(); answers != 0 {
			t.Errorf("%d answers are cached", answers)
		}
	})
}

// TestInvalidatedMeanwhile: a request that comes after the change gets nothing that may
// have been read before it, neither from the flight nor from the cache.
func TestInvalidatedMeanwhile(t *testing.T) {
	testFlights(t, func(f *flights) {
		leader, follower := f.ask(f.t.Context()), f.ask(f.t.Context())
		f.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 1})
		after := f.ask(f.t.Context())
		f.release <- struct{}{}
		<-leader
		f.want("before the change", follower, "", api.CacheHit, 2)
		if answers, _ := f.door.Cache.Size(); answers != 0 {
			t.Errorf("%d answers of before the change are cached", answers)
		}
		close(f.release)
		f.want("after the change", after, "own", api.CacheMiss, 2)
	})
}

// TestFollowersDeadline: a follower waits no longer than its own request may take.
func TestFollowersDeadline(t *testing.T) {
	testFlights(t, func(f *flights) {
		leader := f.ask(f.t.Context())
		ctx, cancel := context.WithTimeout(f.t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		f.want("follower", f.ask(ctx), context.DeadlineExceeded.Error(), api.CacheMiss, 2)
		if took := time.Since(begin); took != time.Second {
			t.Errorf("waited for %s", took)
		}
		close(f.release)
		f.want("leader", leader, "own", api.CacheMiss, 2)
	})
}

// TestAnotherSecond: a response that depends on the clock is shared among the requests of
// its second.
func TestAnotherSecond(t *testing.T) {
	testFlights(t, func(f *flights) {
		f.response.Timely = true
		leader := f.ask(f.t.Context())
		same := f.ask(f.t.Context())
		time.Sleep(time.Second)
		next := f.ask(f.t.Context())
		close(f.release)
		f.want("leader", leader, "own", api.CacheMiss, 2)
		f.want("same second", same, "", api.CacheHit, 2)
		f.want("next second", next, "own", api.CacheMiss, 2)
	})
}

// TestPanic: a panic reaches the request that caused it, and nothing else.
func TestPanic(t *testing.T) {
	testFlights(t, func(f *flights) {
		k := f.door.LookUp(f.t.Context(), httptest.NewRequest("GET", "/events", nil))
		defer func() {
			if p := recover(); p != "broken" {
				t.Errorf("panic: %v", p)
			}
		}()
		Build(f.t.Context(), &k, func(context.Context, *invalidation.Dependencies) (int, *Answer) { panic("broken") })
	})
}

// TestCloseWaits: nothing that a gone client began runs on after Close.
func TestCloseWaits(t *testing.T) {
	testFlights(t, func(f *flights) {
		ctx, cancel := context.WithCancel(f.t.Context())
		leader := f.ask(ctx)
		cancel()
		<-leader
		var closed sync.WaitGroup
		var ended atomic.Bool
		closed.Go(func() { f.door.Cache.Close(); ended.Store(true) })
		synctest.Wait()
		if ended.Load() {
			t.Error("closed while an answer is built")
		}
		close(f.release)
		closed.Wait()
	})
}

func TestLookUp(t *testing.T) {
	broken := errors.New("no database")
	names := &wpauth.CookieNames{LoggedIn: "wordpress_logged_in_x", PostPass: "wp-postpass_x"}
	for name, c := range map[string]struct {
		method, body, cookie, header string
		change                       func(*Reader)
		want                         api.CacheResult
		current                      bool
	}{
		"plain":            {want: api.CacheMiss, current: true},
		"no cache":         {change: func(d *Reader) { d.Cache = nil }, want: api.CacheOff},
		"not followed":     {change: func(d *Reader) { d.Tracker.Suspend() }, want: api.CacheBypass},
		"not proved":       {change: func(d *Reader) { d.CatchUp = func(context.Context) error { return broken } }, want: api.CacheBypass},
		"not settled":      {change: func(d *Reader) { d.Settle = func(context.Context) error { return broken } }, want: api.CacheBypass},
		"HEAD":             {method: "HEAD", want: api.CacheBypass, current: true},
		"POST":             {method: "POST", want: api.CacheBypass},
		"a body":           {body: "{}", want: api.CacheBypass, current: true},
		"credentials":      {header: "Authorization", want: api.CacheBypass, current: true},
		"a nonce":          {header: "X-Wp-Nonce", want: api.CacheBypass, current: true},
		"a foreign cookie": {cookie: "a=1", want: api.CacheMiss, current: true},
		"a login cookie":   {cookie: "wordpress_logged_in_x=1", want: api.CacheBypass, current: true},
		"a password":       {cookie: "wp-postpass_x=1", want: api.CacheBypass, current: true},
		"unknown site":     {cookie: "a=1", change: func(d *Reader) { d.Cookies = func() *wpauth.CookieNames { return nil } }, want: api.CacheBypass, current: true},
	} {
		testFlights(t, func(f *flights) {
			f.door.Cookies = func() *wpauth.CookieNames { return names }
			door := f.door
			if c.change != nil {
				c.change(&door)
			}
			r := httptest.NewRequest(c.method, "/events", http.NoBody)
			if c.body != "" {
				r = httptest.NewRequest("GET", "/events", &oneByte{})
			}
			if c.cookie != "" {
				r.Header.Set("Cookie", c.cookie)
			}
			if c.header != "" {
				r.Header.Set(c.header, "x")
			}
			if k := door.LookUp(f.t.Context(), r); k.Result != c.want || k.Current != c.current {
				t.Errorf("%s: %s, current %v", name, k.Result, k.Current)
			}
		})
	}
}

// oneByte is a body.
type oneByte struct{}

func (oneByte) Read(p []byte) (int, error) { return 1, nil }

// TestNewAnswer: only what everybody gets is shared.
func TestNewAnswer(t *testing.T) {
	at := time.Unix(1_800_000_000, 5)
	shared := api.Response{Status: 200, Shared: true, Repeats: true, CrossOrigin: api.NewCrossOrigin(), Body: []byte("x"), Rendering: api.Rendering{NotRendered: []string{"shop/cart"}}}
	a := NewAnswer(&shared, "/events", "cs", at)
	if a == nil || a.Until != 0 || a.Route != "/events" || a.Language != "cs" {
		t.Fatalf("%+v", a)
	}
	if res := a.Response(); res.Status != 200 || string(res.Body) != "x" || !res.Shared || !res.Anonymous || res.CrossOrigin == nil || len(res.NotRendered) != 1 {
		t.Errorf("as a response: %+v", res)
	}
	for name, change := range map[string]func(*api.Response){
		"personal": func(r *api.Response) { r.Shared, r.Repeats = false, false }, "cookie": func(r *api.Response) { r.CookieMatters = true }, "HEAD": func(r *api.Response) { r.HeadOnly = true },
	} {
		r := shared
		if change(&r); NewAnswer(&r, "", "", at) != nil {
			t.Errorf("%s: shared", name)
		}
	}
	refused := api.Response{Status: 404, Repeats: true, Failure: api.Failure{Code: "rest_no_route"}}
	if a := NewAnswer(&refused, "", "", at); a == nil || a.Summary().Shared {
		t.Errorf("a refusal: %+v", a)
	} else if res := a.Response(); res.Status != 404 || res.Code != "rest_no_route" || res.Shared || !res.Repeats {
		t.Errorf("as a response: %+v", res)
	}
	shared.Timely = true
	if a := NewAnswer(&shared, "", "", at); a.From != 1_800_000_000 || a.Until != a.From+1 {
		t.Errorf("from %d until %d", a.From, a.Until)
	}
}
