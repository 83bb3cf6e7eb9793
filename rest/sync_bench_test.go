package rest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// syncedChanges is how many events have changed when a client of BenchmarkSync asks.
const syncedChanges = 100

// BenchmarkSync measures what a client's question for what has changed costs after 100 events
// have, in a calendar of CALBRIDGE_SYNC_EVENTS events, or 24,000:
//
//   - unseen: none of them is in the client's list
//   - seen: all of them are, and the responses have them whole; no client has requested them yet
//   - again: as seen, for each of nine clients after the first
//
// The time of the benchmark is that of all clients; cpu-ms/sync is the processor time of this
// process while it answers one of them: that of the database isn't in it, that of the garbage
// collector, the feed, the journal and the caches is, where they work meanwhile.
func BenchmarkSync(b *testing.B) {
	events := 24_000
	if n, err := strconv.Atoi(os.Getenv("CALBRIDGE_SYNC_EVENTS")); err == nil {
		events = n
	}
	s := newSyncedSite(b, events)
	future := synthetic.FirstEvent + events/2 + 100 // events are by date, and this is tomorrow's or later
	featured := (future-synthetic.FirstEvent)/100*100 + 50 + synthetic.FirstEvent
	for _, c := range []struct {
		name        string
		first, step int
		args        string
		others      int // clients that ask after the first; then only they are measured
	}{
		{"unseen", synthetic.FirstEvent, 1, "featured=true", 0},
		{"seen", featured, 100, "featured=true", 0},
		{"again", featured, 100, "featured=true", 9},
	} {
		b.Run(c.name, func(b *testing.B) {
			clients := make([]synced, c.others+1)
			for i := range clients {
				clients[i] = s.sync(b, c.args, "")
			}
			var sum synced
			b.ResetTimer()
			b.StopTimer()
			for range b.N {
				s.change(c.first, c.step)
				for i := range clients {
					clients[i] = s.sync(b, c.args, clients[i].token)
				}
				for _, one := range clients[min(1, c.others):] {
					sum.requests, sum.events, sum.cpu = sum.requests+one.requests, sum.events+one.events, sum.cpu+one.cpu
				}
			}
			syncs := float64(b.N * max(1, c.others))
			b.ReportMetric(float64(sum.cpu.Microseconds())/1000/syncs, "cpu-ms/sync")
			b.ReportMetric(float64(sum.requests)/syncs, "requests/sync")
			b.ReportMetric(float64(sum.events)/syncs, "events/sync")
		})
	}
}

// processorTime returns that of this process up to now.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// tokenMember finds the token of a response, which isn't decoded: the garbage would be counted.
var tokenMember = regexp.MustCompile(`,"(page|sync)_token":"([^"]+)"`)

// syncedSite is a generated calendar on MariaDB with a journal, as calbridge serve has it.
type syncedSite struct {
	*testSite
	journal *journal.Journal
	serial  int
	body    bytes.Buffer // of the last response
}

func newSyncedSite(b *testing.B, events int) *syncedSite {
	b.Helper()
	s := &syncedSite{}
	tracker, folder := invalidation.NewTracker(), b.TempDir()
	dsn := wptest.Replicated(b, "--innodb-buffer-pool-size=2G", "--innodb-flush-log-at-trx-commit=0")
	s.testSite = testSiteOn(b, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(b, dsn)}, Tracker: tracker}, func(c *Config) {
		c.Compat, c.Extensions, c.Observe = api.Safe, true, func(o *api.Observation) {
			if o.Err != nil {
				b.Log(o.Err)
			}
		}
		c.Tracker, c.Complete, c.CacheBytes, c.RenderCache = tracker, true, 32<<20, 32<<20
	})
	began := time.Now()
	wptest.Generate(b, s.SQL(), "wp_", events)
	if err := synthetic.Analyze(b.Context(), s.SQL(), "wp_"); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d events generated in %s", events, time.Since(began).Round(time.Second))
	s.CacheRows(tracker, 64<<20)
	ctx, cancel := context.WithCancel(context.Background())
	index := s.OpenIndex(ctx, tracker)
	began = time.Now()
	j, err := journal.Open(journal.Config{
		Dir: folder, Of: journal.Identity{Site: "bench"}, Site: s.JournalSite(), CatchUp: s.Feed.CatchUp, Keep: time.Hour, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Feed.Follow(ctx, tracker, changefeed.Observer{Recorder: j}) }()
	b.Cleanup(func() {
		cancel()
		<-ended
		_ = j.Close()
	})
	s.settle(j)
	b.Logf("journal: loaded in %s, %d bytes", time.Since(began).Round(time.Millisecond), folderSize(b, folder))
	wptest.AwaitRows(b, index)
	s.journal, s.cfg.Changes = j, Changes{Journal: j}
	s.srv.Close()
	s.srv = New(s.DB, s.cfg)
	return s
}

// settle waits until all that was committed is in the journal.
func (s *syncedSite) settle(j *journal.Journal) {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		_, err := j.CatchUp(context.Background())
		if err == nil {
			return
		}
		if time.Now().After(end) {
			s.t.Fatal(err)
		}
	}
}

// change changes the titles of some events.
func (s *syncedSite) change(first, step int) {
	s.t.Helper()
	s.serial++
	var ids []string
	for i := range syncedChanges {
		ids = append(ids, strconv.Itoa(first+i*step))
	}
	res, err := s.SQL().Exec("UPDATE wp_posts SET post_title = ? WHERE ID IN ("+strings.Join(ids, ",")+")", fmt.Sprint("Titul ", s.serial))
	if err != nil {
		s.t.Fatal(err)
	}
	if n, err := res.RowsAffected(); err != nil || n != syncedChanges {
		s.t.Fatalf("%d events changed: %v", n, err)
	}
	s.settle(s.journal)
}

// synced is what it took to ask for all that has changed.
type synced struct {
	token            string
	requests, events int
	cpu              time.Duration
}

// sync asks for what has changed since a token, or for the list, until that is all.
func (s *syncedSite) sync(b *testing.B, args, token string) (out synced) {
	b.Helper()
	page := ""
	for out.token == "" {
		target := "events/changes?per_page=50&" + args
		switch {
		case page != "":
			target += "&page_token=" + page
		case token != "":
			target += "&sync_token=" + token
		}
		r := s.request(ask{target: target})
		w := httptest.NewRecorder()
		w.Body = &s.body
		s.body.Reset()
		before := processorTime(b)
		b.StartTimer()
		s.srv.ServeHTTP(w, r)
		b.StopTimer()
		cpu := processorTime(b) - before
		if w.Code == http.StatusServiceUnavailable { // other work on the machine makes the database late
			time.Sleep(time.Second)
			continue
		}
		if w.Code != http.StatusOK {
			b.Fatalf("%s: %d %s", target, w.Code, w.Body)
		}
		page, out.token = "", ""
		for _, m := range tokenMember.FindAllSubmatch(s.body.Bytes(), -1) {
			if string(m[1]) == "page" {
				page = string(m[2])
			} else {
				out.token = string(m[2])
			}
		}
		out.requests++
		out.events += bytes.Count(s.body.Bytes(), []byte(`,"all_day":`))
		out.cpu += cpu
	}
	return out
}

func folderSize(b *testing.B, folder string) (bytes int64) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			b.Fatal(err)
		}
		bytes += info.Size()
	}
	return bytes
}
