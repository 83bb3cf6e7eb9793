package warmup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// calendar is a stand-in for a server in mode auto: a request is answered natively once it was sent
// before, and its kind often enough.
type calendar struct {
	*httptest.Server
	mu          sync.Mutex
	events      int
	needed      int // requests of a kind that WordPress answers first
	status      int // of every answer; 0 means as it should be
	asked       map[string]int
	hosts       map[string]bool
	native, all int64
	delay       func() // called for each request, if it isn't nil
}

func newCalendar(t *testing.T, events, needed int) *calendar {
	c := &calendar{events: events, needed: needed, asked: map[string]int{}, hosts: map[string]bool{}}
	c.Server = httptest.NewServer(http.HandlerFunc(c.answer))
	t.Cleanup(c.Close)
	return c
}

func (c *calendar) answer(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all++
	if c.delay != nil {
		c.delay()
	}
	c.hosts[r.Header.Get("X-Forwarded-Proto")+" "+r.Host] = true
	if c.asked[r.RequestURI] > 0 && c.asked[kindOf(r.RequestURI)] >= c.needed {
		c.native++
	}
	c.asked[r.RequestURI]++
	if kind := kindOf(r.RequestURI); kind != r.RequestURI {
		c.asked[kind]++
	}
	if c.status != 0 {
		w.WriteHeader(c.status)
		return
	}
	const root = "/shop/wp-json/tribe/events/v1"
	switch path := strings.TrimPrefix(r.URL.Path, "/shop/de/wp-json/tribe/events/v1"); {
	case r.URL.Path == root, path == "":
		fmt.Fprint(w, `{"namespace":"tribe/events/v1","routes":{"/tribe/events/v1/events":{"namespace":"tribe/events/v1","endpoints":[{"methods":["GET"],"args":{"wpml_language":{"enum":["de","en","all"]}}}]}}}`)
	case strings.HasSuffix(r.URL.Path, "/events"):
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		var found []map[string]any
		for i := (max(page, 1) - 1) * 50; i < min(c.events, max(page, 1)*50); i++ {
			found = append(found, map[string]any{"id": i + 1, "slug": fmt.Sprintf("event-%d", i+1), "title": fmt.Sprintf("Concert number %d", i+1), "start_date": "2026-12-24 20:00:00"})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"events": found, "total_pages": (c.events + 49) / 50})
	case strings.HasSuffix(r.URL.Path, "/categories"):
		fmt.Fprint(w, `{"categories":[{"id":5,"slug":"music","name":"Music"}],"total_pages":1}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// counts returns the server's counters.
func (c *calendar) counts(context.Context) (native, all int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.native, c.all, nil
}

// times returns how often a target was requested.
func (c *calendar) times(target string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked[target]
}

// clock is a clock that only sleeping and requests advance.
type clock struct{ at time.Time }

func (c *clock) now() time.Time {
	c.at = c.at.Add(time.Millisecond)
	return c.at
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.at = c.at.Add(max(d, 0))
	return ctx.Err()
}

func (c *calendar) config(rounds *[]Round) Config {
	at := &clock{time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC)}
	return Config{Site: Site{URL: c.URL + "/shop", Namespace: "tribe/events/v1", Agent: "test"}, Longest: 15 * time.Minute, Share: 50,
		Counts: c.counts, Now: at.now, Sleep: at.sleep, Progress: func(r Round) { *rounds = append(*rounds, r) }}
}

// TestRun checks that every event, list, word and month is requested, in every language, and that the
// warm-up ends once everything is answered natively.
func TestRun(t *testing.T) {
	c := newCalendar(t, 120, 20)
	var rounds []Round
	cfg := c.config(&rounds)
	cfg.Logged = []string{"/shop/wp-json/tribe/events/v1/events?page=2&tags=9"}
	last, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !last.Done() || last.Elapsed >= cfg.Longest || len(rounds) < 2 || last != rounds[len(rounds)-1] {
		t.Errorf("%+v of %d", last, len(rounds))
	}
	const root, german, english = "/shop/wp-json/tribe/events/v1", "/shop/de/wp-json/tribe/events/v1", "wpml_language=en"
	for _, target := range []string{
		root, root + "/events", root + "/events/1", root + "/events/120", root + "/events/by-slug/event-120", root + "/events?per_page=50&page=3", root + "/events?page=12",
		root + "/events?start_date=2026-12-01&end_date=2026-12-31", root + "/events?starts_before=2026-12-31&ends_after=2026-12-01", root + "/events?search=Concert", root + "/events?categories=5", root + "/events?categories=music",
		root + "/categories/5", root + "/venues", german + "/events/120", root + "/events/120?wpml_language=en", cfg.Logged[0],
	} {
		if c.times(target) == 0 {
			t.Errorf("%s was not requested", target)
		}
	}
	if n := c.times(german + "/events?" + english); n > 0 {
		t.Errorf("a language was requested in two ways %d times", n)
	}
}

// TestRunSlow checks that where WordPress is too slow for all kinds of requests, the likeliest ones are
// sent in every round, and every event in time.
func TestRunSlow(t *testing.T) {
	c := newCalendar(t, 120, 1<<30)
	var rounds []Round
	cfg := c.config(&rounds)
	c.delay = func() { _ = cfg.Sleep(t.Context(), 150*time.Millisecond) }
	if _, err := Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	const root = "/shop/wp-json/tribe/events/v1"
	if n := c.times(root + "/events"); n < len(rounds) || len(rounds) < 20 {
		t.Errorf("the list of events was requested %d times in %d rounds", n, len(rounds))
	}
	for event := range 120 {
		if n := c.times(fmt.Sprintf("%s/events/%d", root, event+1)); n == 0 {
			t.Errorf("event %d was not requested", event+1)
		}
	}
	if n := c.times(root + "/events?featured=true"); n >= c.times(root+"/events") {
		t.Errorf("a rare request was sent %d times", n)
	}
}

// TestRanks checks the order of kinds.
func TestRanks(t *testing.T) {
	for target, want := range map[string]int{
		"/shop/wp-json/tribe/events/v1/events": 1, "/wp-json/tribe/events/v1/events/7?wpml_language=de": 1, "/x/events?start_date=2026-12-01&end_date=2026-12-31&per_page=50": 1,
		"/x/events?page=2&lang=de": 1, "/x/events/by-slug/a": 2, "/x/venues": 2, "/x/organizers/7": 2, "/x/categories?per_page=50&page=1": 2, "/x/events?categories=5": 2,
		"/x/events?search=a": 3, "/x": 3, "/x/events?featured=true": 3, "/x/events?tags=7": 3,
	} {
		if got := rankOf(kindOf(target)); got != want {
			t.Errorf("%s: %d, want %d", target, got, want)
		}
	}
}

// TestRunEnds checks how a warm-up ends that can't be finished.
func TestRunEnds(t *testing.T) {
	t.Run("time", func(t *testing.T) {
		c := newCalendar(t, 3, 1<<30)
		var rounds []Round
		last, err := Run(t.Context(), c.config(&rounds))
		if err != nil || last.Done() || last.Elapsed < 15*time.Minute || last.Elapsed > 16*time.Minute {
			t.Errorf("%+v %v", last, err)
		}
		for i, r := range rounds[1:] {
			if took := r.Elapsed - rounds[i].Elapsed; took < 30*time.Second {
				t.Errorf("round %d took %s", i+2, took)
			}
		}
	})
	t.Run("server fails", func(t *testing.T) {
		c := newCalendar(t, 3, 1<<30)
		var rounds []Round
		cfg := c.config(&rounds)
		cfg.Progress = func(Round) { c.mu.Lock(); c.status = http.StatusServiceUnavailable; c.mu.Unlock() }
		if _, err := Run(t.Context(), cfg); !errors.Is(err, errGivenUp) || !strings.Contains(err.Error(), "503") {
			t.Error(err)
		}
	})
	t.Run("another namespace", func(t *testing.T) {
		c := newCalendar(t, 3, 0)
		var rounds []Round
		cfg := c.config(&rounds)
		cfg.Site.Namespace = "calendar/events/v1"
		if _, err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "--namespace") {
			t.Error(err)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		c := newCalendar(t, 3, 1<<30)
		ctx, cancel := context.WithCancel(t.Context())
		var rounds []Round
		cfg := c.config(&rounds)
		cfg.Progress = func(Round) { cancel() }
		if _, err := Run(ctx, cfg); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	for _, address := range []string{"", "town.example", "ftp://town.example", "https://town.example/?x=1", "http://%"} {
		t.Run("address "+address, func(t *testing.T) {
			if _, err := Run(t.Context(), Config{Site: Site{URL: address}, Now: time.Now}); err == nil {
				t.Error("taken")
			}
		})
	}
}

// TestHost checks which host and scheme requests have.
func TestHost(t *testing.T) {
	for _, test := range []struct{ name, host, want string }{
		{"of the address", "", ""},
		{"another", "town.example", " town.example"},
		{"with its scheme", "https://town.example", "https town.example"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newCalendar(t, 1, 0)
			var rounds []Round
			cfg := c.config(&rounds)
			cfg.Site.Host = test.host
			if _, err := Run(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			if test.want == "" {
				test.want = " " + strings.TrimPrefix(c.URL, "http://")
			}
			if !c.hosts[test.want] || len(c.hosts) != 1 {
				t.Errorf("%v, want %q", c.hosts, test.want)
			}
		})
	}
	if _, err := newClient(Site{URL: "http://127.0.0.1", Host: "a b"}); err == nil {
		t.Error("a host with a blank was taken")
	}
}

// TestShare checks how long a warm-up waits for the sake of WordPress.
func TestShare(t *testing.T) {
	for _, test := range []struct {
		share float64
		want  time.Duration // after a request of one second
	}{{100, time.Second}, {50, 3 * time.Second}, {10, 19 * time.Second}} {
		t.Run(fmt.Sprint(test.share), func(t *testing.T) {
			var waited time.Duration
			r := &run{Config: Config{Share: test.share, Sleep: func(_ context.Context, d time.Duration) error { waited = d; return nil }}}
			if err := r.wait(t.Context(), time.Second); err != nil || waited != test.want {
				t.Errorf("%s %v", waited, err)
			}
		})
	}
}

// TestGroups checks which requests are alike, and the order in which a group's are sent.
func TestGroups(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		alike      bool
	}{
		{"two events", "/x/events/1", "/x/events/27", true},
		{"two slugs", "/x/events/by-slug/a", "/x/events/by-slug/b-7", true},
		{"an event by id and by slug", "/x/events/1", "/x/events/by-slug/a", false},
		{"values and order of arguments", "/x/events?page=1&per_page=5", "/x/events?per_page=50&page=7", true},
		{"other arguments", "/x/events?page=1", "/x/events?page=1&per_page=5", false},
		{"other fields", "/x/events?_fields=id", "/x/events?_fields=title", false},
		{"another language", "/x/events", "/de/x/events", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if (kindOf(test.a) == kindOf(test.b)) != test.alike {
				t.Errorf("%s and %s", kindOf(test.a), kindOf(test.b))
			}
		})
	}
	g := newGroups()
	for _, target := range []string{"/x/events/1", "/x/events/2", "/x/events/1"} {
		g.add(target)
	}
	var sent []string
	for range 3 {
		sent = append(sent, g.all[0].take(time.Time{}.Add(time.Hour)))
	}
	if want := []string{"/x/events/1", "/x/events/2", "/x/events/1"}; !slices.Equal(sent, want) || g.all[0].fresh != 0 {
		t.Errorf("%q, %d never sent", sent, g.all[0].fresh)
	}
	for i := range maxGroups + 10 {
		for k := range 3 {
			g.add(fmt.Sprintf("/x%c%d/events/%d", 'a'+i%26, i/26, k))
		}
	}
	for i := range maxTargets + 10 {
		g.add("/x/events/" + strconv.Itoa(i))
	}
	if len(g.all) != maxGroups || len(g.all[0].targets) != maxTargets {
		t.Errorf("%d groups, %d targets", len(g.all), len(g.all[0].targets))
	}
}

// TestMonths checks the months and their last days.
func TestMonths(t *testing.T) {
	got := months([]item{{day: "2026-12-24"}, {day: "2026-02-01"}, {day: "2026-12-25"}, {day: ""}, {day: "nonsense"}})
	if !slices.Equal(got, []string{"2026-12", "2026-02"}) || lastDay("2026-02") != "2026-02-28" || lastDay("2028-02") != "2028-02-29" {
		t.Errorf("%q", got)
	}
}
