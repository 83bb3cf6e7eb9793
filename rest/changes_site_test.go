package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// changesSite is a site whose changes are recorded in a journal.
type changesSite struct {
	*testSite
	dir     string
	tracker *invalidation.Tracker
	journal *journal.Journal
	index   *eventindex.Index // nil if lists come from the database
	stop    func()
	late    atomic.Int64 // how much later than testNow it is, in seconds
	// rows stands for the binary log on the embedded engine; nil on MariaDB.
	rows *rowLog
	// proving, while it is locked, keeps the journal of an embedded site from catching up.
	proving sync.RWMutex
	// serving is what serveStreams serves.
	serving atomic.Pointer[Server]
}

func newChangesSite(t testing.TB) *changesSite { return changesSiteOn(t, wptest.Replicated(t)) }

func changesSiteOn(t testing.TB, dsn string) *changesSite {
	t.Helper()
	s := makeChangesSite(t, sqlconn.Config{Database: wptest.Address(t, dsn)}, true)
	s.start()
	t.Cleanup(func() { s.stop() })
	return s
}

// embeddedChangesSite returns one on the embedded engine, with a log that is applied when a
// request proves what it knows, or before, by s.rows.
func embeddedChangesSite(t testing.TB, cfg sqlconn.Config, indexed bool) *changesSite {
	t.Helper()
	return embeddedChangesSiteIn(t, t.TempDir(), cfg, indexed)
}

// embeddedChangesSiteIn returns one with a state folder.
func embeddedChangesSiteIn(t testing.TB, dir string, cfg sqlconn.Config, indexed bool) *changesSite {
	t.Helper()
	cfg.Database = wptest.Address(t, "sqlite::memory:")
	s := makeChangesSite(t, cfg, indexed)
	s.dir = dir
	s.rows = newRowLog(t, s.testSite, s.tracker)
	s.rows.indexed = indexed
	s.start()
	t.Cleanup(func() { s.stop() })
	return s
}

func makeChangesSite(t testing.TB, database sqlconn.Config, indexed bool) *changesSite {
	t.Helper()
	s := &changesSite{dir: t.TempDir(), tracker: invalidation.NewTracker()}
	s.testSite = testSiteOn(t, sitedb.Config{Config: database, Tracker: s.tracker}, func(c *Config) {
		c.Compat, c.Extensions, c.Observe = api.Safe, true, nil // requests come at the same time
		c.Tracker, c.Complete, c.CacheBytes = s.tracker, true, 4<<20
		c.RenderCache = 4 << 20
		c.Now = func() time.Time { return testNow.Add(time.Duration(s.late.Load()) * time.Second) }
	})
	s.CacheRows(s.tracker, 4<<20)
	if indexed {
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		s.index = s.OpenIndex(ctx, s.tracker)
	}
	s.fill()
	return s
}

// keepEmbedded is how long the journal of an embedded site keeps changes, by its late clock.
const keepEmbedded = 7 * 24 * time.Hour

// start opens the journal and follows the log.
func (s *changesSite) start() {
	s.t.Helper()
	cfg := journal.Config{
		Dir: s.dir, Of: journal.Identity{Site: "village"}, Site: s.JournalSite(), CatchUp: s.Feed.CatchUp, Keep: time.Hour, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	}
	if s.rows != nil {
		cfg.Keep, cfg.Now = keepEmbedded, s.cfg.Now
		cfg.CatchUp = func(ctx context.Context) error {
			s.proving.RLock()
			defer s.proving.RUnlock()
			return s.rows.catchUp(ctx)
		}
	}
	j, err := journal.Open(cfg)
	if err != nil {
		s.t.Fatal(err)
	}
	s.journal = j
	begin := s.follow
	if s.rows != nil {
		begin = func(j *journal.Journal) func() { return s.rows.follow(s.t, j) }
	}
	end := begin(j)
	s.cfg.Changes = Changes{Journal: j, MaxStreams: 100, MaxStreamsPerClient: 20}
	s.renew()
	s.stop = func() {
		end()
		if err := j.Close(); err != nil {
			s.t.Error(err)
		}
	}
}

// renew makes another server, as a reload does.
func (s *changesSite) renew() {
	last := s.srv
	s.srv = New(s.DB, s.cfg)
	s.serving.Store(s.srv)
	if last != nil {
		last.Close()
	}
}

// follow follows the binary log until stop is called.
func (s *changesSite) follow(j *journal.Journal) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Feed.Follow(ctx, s.tracker, changefeed.Observer{Recorder: j}) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	}
}

// syncer is a client of events/changes: its copy of a list.
type syncer struct {
	as, args string
	copy     map[int64]string
	page     string // token
	sync     string // token
	seen     map[int64]bool
	reasons  map[string]int
	restarts int // number of syncs that began again
}

func newSyncer(as, args string) *syncer {
	return &syncer{as: as, args: args, copy: map[int64]string{}, seen: map[int64]bool{}, reasons: map[string]int{}}
}

// counts are what events show of their terms, and changes don't keep up to date.
var counts = regexp.MustCompile(`"count":\d+,`)

// step asks for the next page. done says that the copy is complete; it is false after an
// answer that says to begin again, or to wait. The status is that of the answer.
func (r *syncer) step(t testing.TB, s *changesSite) (done bool, status int) {
	t.Helper()
	q, _ := url.ParseQuery(r.args)
	if r.page != "" {
		q.Set("page_token", r.page)
	} else if r.sync != "" {
		q.Set("sync_token", r.sync)
	}
	a := s.do(ask{target: "events/changes?" + q.Encode(), as: r.as})
	switch a.status {
	case 410:
		r.reasons[a.json("data.reason")]++
		r.restarts++
		r.page, r.sync, r.copy = "", "", map[int64]string{}
		return false, a.status
	case 503, 400:
		return false, a.status
	case 200:
	default:
		t.Fatalf("%s: %d %s", q, a.status, a.body)
	}
	var body struct {
		Events    []json.RawMessage `json:"events"`
		PageToken string            `json:"page_token"`
		SyncToken string            `json:"sync_token"`
	}
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	for _, raw := range body.Events {
		var item struct {
			ID      int64
			Deleted bool
		}
		if err := json.Unmarshal(raw, &item); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		if item.Deleted {
			if !r.seen[item.ID] && r.as == "" && q.Get("search") == "" {
				r.reasons["tombstone of what was not sent"]++
			}
			delete(r.copy, item.ID)
		} else {
			r.copy[item.ID] = counts.ReplaceAllString(string(raw), "")
			r.seen[item.ID] = true
		}
	}
	r.page = body.PageToken
	if body.SyncToken != "" {
		r.sync = body.SyncToken
	}
	if (r.page == "") == (body.SyncToken == "") {
		t.Fatalf("tokens: %.300s", a.body)
	}
	return r.page == "", a.status
}

// finish asks until the copy is complete; false where the arguments are refused.
func (r *syncer) finish(t testing.TB, s *changesSite) bool {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		done, status := r.step(t, s)
		switch {
		case done:
			return true
		case status == 400:
			return false
		case status == 503:
			time.Sleep(2 * time.Millisecond)
		}
		if time.Now().After(deadline) {
			t.Fatalf("%q as %q is not complete within a minute: %v", r.args, r.as, r.reasons)
		}
	}
}

// list returns the whole list, by ids: each event as a page of it alone shows it.
func (s *changesSite) list(as, args string) map[int64]string {
	s.t.Helper()
	out := map[int64]string{}
	for page := 1; ; page++ {
		q, _ := url.ParseQuery(args)
		q.Set("per_page", "1")
		q.Set("page", fmt.Sprint(page))
		a := s.do(ask{target: "events?" + q.Encode(), as: as})
		if a.status != 200 {
			s.t.Fatalf("%s: %d %s", q, a.status, a.body)
		}
		var body struct {
			Events     []json.RawMessage
			TotalPages int `json:"total_pages"`
		}
		if err := json.Unmarshal([]byte(a.body), &body); err != nil {
			s.t.Fatal(err)
		}
		for _, raw := range body.Events {
			var item struct{ ID int64 }
			_ = json.Unmarshal(raw, &item)
			out[item.ID] = counts.ReplaceAllString(string(raw), "")
		}
		if page >= body.TotalPages {
			return out
		}
	}
}

// differs describes how a copy differs from the list, "" if it doesn't.
func (r *syncer) differs(s *changesSite) string {
	s.t.Helper()
	want := s.list(r.as, r.args)
	for id, text := range want {
		if r.copy[id] != text {
			return fmt.Sprintf("%q as %q: event %d is\n%.2000s\nnot\n%.2000s", r.args, r.as, id, r.copy[id], text)
		}
	}
	for id, text := range r.copy {
		if want[id] == "" {
			return fmt.Sprintf("%q as %q: event %d is not in the list any more: %.300s", r.args, r.as, id, text)
		}
	}
	return ""
}
