package purge

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"calbridge/rest/cachetag"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

// provider is a fake cache, which holds names and refuses calls by its rules.
type provider struct {
	t        *testing.T
	kind     Provider
	most     int // names of one call
	generate func() uint64

	mu      sync.Mutex
	calls   []call
	answers []answer      // to the next calls; 200 after them
	limiter *rate.Limiter // refuses calls beyond it, unless it is nil
}

type call struct {
	names []string
	at    time.Time
	// generation is the tracker's when the call arrived.
	generation uint64
}

type answer struct {
	status int
	after  string // Retry-After
	delay  time.Duration
	body   string
}

// ServeHTTP implements http.Handler. It checks the syntax of each call.
func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var names []string
	body, _ := io.ReadAll(r.Body)
	var in struct {
		Keys []string `json:"surrogate_keys"`
		Tags []string `json:"tags"`
	}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &in); err != nil || r.Header.Get("Content-Type") != "application/json" {
			p.t.Errorf("%s: %v", body, err)
		}
	}
	bearer := r.Header.Get("Authorization")
	good := true
	switch p.kind {
	case Varnish:
		names = strings.Fields(r.Header.Get("Xkey"))
		if pattern := r.Header.Get("Xkey-Pattern"); pattern != "" {
			names = strings.Split(strings.TrimSuffix(strings.TrimPrefix(pattern, "(^|[^a-z0-9_-])("), ")([^a-z0-9_-]|$)"), "|")
		}
		good = (r.Method == "PURGE" || r.Method == "BAN") && bearer == ""
	case Fastly:
		names = in.Keys
		good = r.Method == "POST" && r.URL.Path == "/service/svc/purge" && r.Header.Get("Fastly-Key") == "secret" && r.Header.Get("Fastly-Soft-Purge") == "1" && bearer == ""
	case Cloudflare:
		names = in.Tags
		good = r.Method == "POST" && r.URL.Path == "/client/v4/zones/zone/purge_cache" && bearer == "Bearer secret"
	case HTTP:
		names = in.Tags
		good = r.Method == "POST" && r.URL.Path == "/hook" && bearer == "Bearer secret"
	}
	if !good || len(names) == 0 || len(names) > p.most {
		p.t.Errorf("%s got %s %s with %d names and %v", p.kind, r.Method, r.URL, len(names), r.Header)
	}
	p.mu.Lock()
	a := answer{status: 200, body: `{"success": true}`}
	if len(p.answers) > 0 {
		a, p.answers = p.answers[0], p.answers[1:]
	}
	if p.limiter != nil && !p.limiter.Allow() {
		a = answer{status: http.StatusTooManyRequests}
	}
	var generation uint64
	if p.generate != nil {
		generation = p.generate()
	}
	if a.status == 200 && a.delay < time.Minute {
		p.calls = append(p.calls, call{names, time.Now(), generation})
	}
	p.mu.Unlock()
	time.Sleep(a.delay)
	if a.after != "" {
		w.Header().Set("Retry-After", a.after)
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// purged returns how often a name was purged by calls that succeeded.
func (p *provider) purged(name string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.calls {
		if slices.Contains(c.names, name) {
			n++
		}
	}
	return n
}

// refuse lets the next calls fail.
func (p *provider) refuse(answers ...answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = append(p.answers, answers...)
}

// counts is an Observer.
type counts struct {
	mu      sync.Mutex
	results map[string]int
	whole   int
	lags    []time.Duration
}

func (c *counts) Purged(_ string, lag time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lags = append(c.lags, lag)
}

func (c *counts) Called(_, result string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.results[result]++
}

func (c *counts) Whole(string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.whole++
}

func (c *counts) get(result string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.results[result]
}

// load writes a file of --purge and loads it. TOKEN in text is a file with a token.
func load(t *testing.T, text string) (*File, error) {
	t.Helper()
	dir := t.TempDir()
	token, file := filepath.Join(dir, "token"), filepath.Join(dir, "purge.json")
	for name, text := range map[string]string{token: "secret\n", file: strings.ReplaceAll(text, "TOKEN", token)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(file)
}

// started returns a Purger of one fake provider, which has purged everything. more is added to the
// cache in the file.
func started(t *testing.T, kind Provider, more string) (*provider, *Purger, *invalidation.Tracker, *counts) {
	t.Helper()
	tracker := invalidation.NewTracker()
	p := &provider{t: t, kind: kind, most: kind.limits().names, generate: tracker.Generation}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	text := map[Provider]string{
		Varnish:    `"url": "` + server.URL + `/"`,
		Fastly:     `"url": "` + server.URL + `", "id": "svc", "token_file": "TOKEN"`,
		Cloudflare: `"url": "` + server.URL + `", "id": "zone", "token_file": "TOKEN", "plan": "enterprise"`,
		HTTP:       `"url": "` + server.URL + `/hook", "token_file": "TOKEN"`,
	}[kind]
	file, err := load(t, `{"caches": [{"provider": "`+string(kind)+`", `+text+more+`}]}`)
	if err != nil {
		t.Fatal(err)
	}
	tracker.Resume(true)
	c := &counts{results: map[string]int{}}
	changes, err := Collect(tracker, "", "", false)
	if err != nil {
		t.Fatal(err)
	}
	purger := Start(Config{
		Changes: changes, File: file, Policy: &cachetag.Policy{Prefix: "x-"}, Tracker: tracker, Observer: c, Logger: slog.New(slog.DiscardHandler), Guard: guard.New(slog.New(slog.DiscardHandler), nil),
	})
	t.Cleanup(purger.Close)
	eventually(t, "everything is purged twice at the start", func() bool { return p.purged("x-site") == 2 })
	return p, purger, tracker, c
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func post(id int64) invalidation.Tag { return invalidation.Tag{Kind: invalidation.Post, ID: id} }

// TestProviders purges names from each provider, twice, after the tracker has applied the change.
func TestProviders(t *testing.T) {
	for _, c := range []struct {
		kind Provider
		more string
	}{{Varnish, ""}, {Varnish, `, "method": "BAN"`}, {Fastly, ""}, {Cloudflare, ""}, {HTTP, ""}} {
		t.Run(string(c.kind)+c.more, func(t *testing.T) {
			t.Parallel()
			p, purger, tracker, counted := started(t, c.kind, c.more)
			tracker.Invalidate(post(42), invalidation.Tag{Kind: invalidation.Posts})
			tracker.Invalidate(invalidation.Tag{Kind: invalidation.Events})
			after := tracker.Generation()
			eventually(t, "the names are purged twice", func() bool { return p.purged("x-p42") == 2 && p.purged("x-events") == 2 && p.purged("x-p") == 2 })
			eventually(t, "nothing waits", func() bool { return purger.Waiting() == 0 && counted.get(ResultDone) == 4 })
			p.mu.Lock()
			defer p.mu.Unlock()
			calls := p.calls[2:]
			if len(calls) != 2 || calls[0].generation < after {
				t.Errorf("%d calls at the generations %v, the change had %d", len(calls), calls, after)
			} else if apart := calls[1].at.Sub(calls[0].at); apart < again {
				t.Errorf("repeated after %s", apart)
			}
			if counted.get(ResultDone) != 4 || counted.whole == 0 || len(counted.lags) != 2 || counted.lags[1] < merge {
				t.Errorf("counted %v, lags %v", counted.results, counted.lags)
			}
		})
	}
}

// TestRefusals checks that a change is purged in the end, however the provider fails.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		answers []answer
		result  string
	}{
		"broken":             {[]answer{{status: 500}, {status: 502}}, ResultFailed},
		"unauthorized":       {[]answer{{status: 403, body: "no"}}, ResultFailed},
		"rate limit":         {[]answer{{status: 429, after: "1"}, {status: 429}}, ResultLimited},
		"200 but no success": {[]answer{{status: 200, body: `{"success": false}`}}, ResultFailed},
		"redirect":           {[]answer{{status: 302}}, ResultFailed},
		"slow":               {[]answer{{status: 200, body: `{"success": true}`, delay: 300 * time.Millisecond}}, ResultDone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, purger, tracker, counted := started(t, Cloudflare, "")
			p.refuse(c.answers...)
			begin := time.Now()
			tracker.Invalidate(post(1))
			time.Sleep(merge)
			tracker.Invalidate(post(2)) // while the first may be refused
			eventually(t, "both are purged twice", func() bool { return p.purged("x-p1") >= 2 && p.purged("x-p2") >= 2 })
			if c.result != ResultDone && counted.get(c.result) == 0 {
				t.Errorf("counted %v", counted.results)
			}
			if c.answers[0].after != "" && time.Since(begin) < time.Second {
				t.Error("Retry-After was ignored")
			}
			eventually(t, "nothing waits", func() bool { return purger.Waiting() == 0 })
		})
	}
}

// posts returns the tags of n posts.
func posts(n int64) (tags []invalidation.Tag) {
	for id := range n {
		tags = append(tags, post(id))
	}
	return tags
}

// TestWhole checks when everything is purged by one name.
func TestWhole(t *testing.T) {
	for name, c := range map[string]struct {
		kind   Provider
		change func(*invalidation.Tracker)
	}{
		"a gap in the log":          {Varnish, func(tr *invalidation.Tracker) { tr.InvalidateAll() }},
		"the options":               {Varnish, func(tr *invalidation.Tracker) { tr.Invalidate(invalidation.Tag{Kind: invalidation.Site}) }},
		"changes no longer arrive":  {Varnish, func(tr *invalidation.Tracker) { tr.Suspend() }},
		"too much for the provider": {Cloudflare, func(tr *invalidation.Tracker) { tr.Invalidate(posts(500)...) }},
		"too much to collect": {Fastly, func(tr *invalidation.Tracker) {
			tr.Invalidate(posts(maxPending + 1)...)
			tr.Invalidate(post(0))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _, tracker, _ := started(t, c.kind, "")
			c.change(tracker)
			eventually(t, "everything is purged twice again", func() bool { return p.purged("x-site") == 4 })
			time.Sleep(2 * again)
			if n := p.purged("x-site"); n != 4 {
				t.Errorf("everything was purged %d times", n)
			}
		})
	}
}

// TestManyNames checks that names are divided into calls that the provider accepts, and that calls
// keep to its rate.
func TestManyNames(t *testing.T) {
	t.Parallel()
	p, _, tracker, counted := started(t, Cloudflare, `, "rate": 20, "burst": 1`)
	var tags []invalidation.Tag
	for i := range int64(300) {
		tags = append(tags, post(i))
	}
	before := counted.get(ResultDone)
	begin := time.Now()
	tracker.Invalidate(tags...)
	eventually(t, "all are purged twice", func() bool {
		return !slices.ContainsFunc(tags, func(tag invalidation.Tag) bool {
			return p.purged((&cachetag.Policy{Prefix: "x-"}).Purged([]invalidation.Tag{tag})[2]) < 2
		})
	})
	var calls int
	eventually(t, "all calls are counted", func() bool { // after their responses
		calls = counted.get(ResultDone) - before
		return calls >= 8 // 302 names, 100 in each call, twice
	})
	if calls > 9 { // perhaps with the repetition of the first purge
		t.Errorf("%d calls", calls)
	}
	if took := time.Since(begin); took < 6*time.Second/20 {
		t.Errorf("%d calls took %s", calls, took)
	}
}

// TestPurge checks what is purged although the tracker doesn't have it.
func TestPurge(t *testing.T) {
	t.Parallel()
	p, purger, _, _ := started(t, Varnish, "")
	purger.Purge(invalidation.Tag{Kind: invalidation.Parity})
	eventually(t, "the name is purged twice", func() bool { return p.purged("x-parity") == 2 })
	purger.PurgeAll()
	eventually(t, "everything is purged twice again", func() bool { return p.purged("x-site") == 4 })
	(*Purger)(nil).PurgeAll()
}

// TestPublishedLimits checks the limits that the providers have published, as of November 2026.
//
//   - https://developers.cloudflare.com/cache/how-to/purge-cache/: a bucket of tokens for each plan, 100
//     operations for each request
//   - https://www.fastly.com/documentation/reference/api/purging/: 256 keys for each request
func TestPublishedLimits(t *testing.T) {
	for _, c := range []struct {
		kind        Provider
		plan        string
		names       int
		rate, burst float64
	}{
		{Cloudflare, "", 100, 5. / 60, 25}, {Cloudflare, "free", 100, 5. / 60, 25}, {Cloudflare, "pro", 100, 5, 25}, {Cloudflare, "business", 100, 10, 50}, {Cloudflare, "enterprise", 100, 50, 500},
		{Fastly, "", 256, 2, 20},
	} {
		t.Run(string(c.kind)+" "+c.plan, func(t *testing.T) {
			at, ok := c.kind.pace(c.plan)
			if !ok || at.rate > c.rate || float64(at.burst) > c.burst || c.kind.limits().names > c.names {
				t.Errorf("%+v, %+v", at, c.kind.limits())
			}
		})
	}
}

// TestPlan checks that a provider with the bucket of a plan refuses nothing, while something changes all
// the time, and that each change is purged in the end.
func TestPlan(t *testing.T) {
	t.Parallel()
	p, purger, tracker, counted := started(t, Cloudflare, `, "rate": 5, "burst": 5`)
	bucket := rate.NewLimiter(5, 6) // one more, since calls don't arrive evenly
	p.mu.Lock()
	p.limiter = bucket
	p.mu.Unlock()
	const changes = 150
	for i := range int64(changes) {
		tracker.Invalidate(post(i))
		time.Sleep(20 * time.Millisecond)
	}
	eventually(t, "all are purged", func() bool { return purger.Waiting() == 0 && p.purged("x-p149") >= 2 })
	for i := range changes {
		if p.purged(fmt.Sprint("x-p", i)) == 0 && p.purged("x-site") <= 2 {
			t.Errorf("post %d is not purged", i)
		}
	}
	if n := counted.get(ResultLimited); n > 0 {
		t.Errorf("%d calls above the plan", n)
	}
}

// TestLoad checks the messages about a bad file.
func TestLoad(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"good":            {`{"max_age": "24h", "caches": [{"provider": "varnish", "url": "http://127.0.0.1/"}, {"provider": "fastly", "id": "x", "token_file": "TOKEN"}]}`, ""},
		"no JSON":         {`max_age: 1h`, "is not a JSON object"},
		"unknown member":  {`{"cache": []}`, `unknown field "cache"`},
		"more":            {`{"caches": []} {}`, "something follows"},
		"no caches":       {`{}`, "name at least one"},
		"age":             {`{"max_age": "1 h", "caches": []}`, `"1 h" is not a duration`},
		"provider":        {`{"caches": [{"provider": "akamai"}]}`, `cache 1: provider: "akamai" is not one of`},
		"address":         {`{"caches": [{"provider": "varnish", "url": "localhost:6081"}]}`, "is not an address"},
		"secret in it":    {`{"caches": [{"provider": "http", "url": "http://a:b@c/"}]}`, "is not an address"},
		"no address":      {`{"caches": [{"provider": "http"}]}`, "is not an address"},
		"no service":      {`{"caches": [{"provider": "fastly", "token_file": "TOKEN"}]}`, "id: set it"},
		"zone of varnish": {`{"caches": [{"provider": "varnish", "url": "http://a/", "id": "x"}]}`, "id: set it"},
		"no token":        {`{"caches": [{"provider": "cloudflare", "id": "x"}]}`, "token_file: name"},
		"token is gone":   {`{"caches": [{"provider": "cloudflare", "id": "x", "token_file": "TOKEN.gone"}]}`, "no such file"},
		"plan":            {`{"caches": [{"provider": "cloudflare", "id": "x", "token_file": "TOKEN", "plan": "gold"}]}`, `"gold" is not a plan of cloudflare`},
		"method":          {`{"caches": [{"provider": "varnish", "url": "http://a/", "method": "GET"}]}`, `"GET" is not PURGE or BAN`},
		"method of http":  {`{"caches": [{"provider": "http", "url": "http://a/", "method": "PURGE"}]}`, "is not PURGE or BAN of varnish"},
		"rate":            {`{"caches": [{"provider": "varnish", "url": "http://a/", "rate": -1}]}`, "rate is at most"},
		"same name":       {`{"caches": [{"provider": "varnish", "url": "http://a/"}, {"provider": "varnish", "url": "http://b/"}]}`, `"varnish" is taken`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, c.text)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
