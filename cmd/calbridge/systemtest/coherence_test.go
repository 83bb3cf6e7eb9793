package systemtest

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/login"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// coherentSite is a calendar on a server with a binary log, changed by plain SQL.
type coherentSite struct {
	t      testing.TB
	dsn    string
	db     *sql.DB
	events int
	plain  http.Handler // without any cache
	writes atomic.Int64
	serial atomic.Int64
	// commits is locked by each change while it commits. Pairs of responses between which
	// nothing may change lock it for reading.
	commits sync.RWMutex
	refresh time.Duration // --site-refresh
	mySQL   bool
	// The caches are filled from the replicas. onReplica counts the statements.
	replicas  []string
	onReplica atomic.Int64
}

// coherenceTime returns how long changes and readers run in each mode.
func coherenceTime() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("CALBRIDGE_COHERENCE_FOR")); err == nil {
		return d
	}
	return 3 * time.Second
}

// TestCoherence changes random rows by SQL, as WordPress does, while readers compare cached
// responses with responses of a server without caches. It runs for CALBRIDGE_COHERENCE_FOR in
// each mode. In strict mode, responses for the same position of the binary log must be equal.
// In the default mode responses may lag, and the test measures by how much.
func TestCoherence(t *testing.T) {
	newCoherentSite(t, wptest.Replicated(t), 300).judge(t, coherenceTime())
}

const (
	// enoughCompared is the number of comparisons, and enoughKept the number of cached
	// responses, below which a run proves nothing. Busy machines take longer than requested to
	// reach them.
	enoughCompared = 20
	enoughKept     = 10
	// enoughOnReplicas is the number of statements on replicas below which a run proves
	// nothing.
	enoughOnReplicas = 100
)

func (s *coherentSite) judge(t *testing.T, length time.Duration) {
	for _, mode := range []settings.CacheMode{settings.CacheStrict, settings.CacheAuto} {
		t.Run(string(mode), func(t *testing.T) {
			cached, api := s.keeping(t, mode)
			ctx, cancel := context.WithTimeout(t.Context(), length+2*time.Minute)
			defer cancel()
			var work sync.WaitGroup
			for i := range 2 {
				work.Go(func() { s.change(ctx, uint64(i)) })
			}
			var compared, skipped, stale, seen atomic.Int64
			enough := func() bool {
				answers, _, _ := api.CacheSize()
				return compared.Load() >= enoughCompared && answers >= enoughKept && seen.Load() > 0 &&
					(len(s.replicas) == 0 || s.onReplica.Load() >= enoughOnReplicas)
			}
			for i := range 4 {
				work.Go(func() {
					s.compare(ctx, t, cached, uint64(i), mode == settings.CacheStrict, i%2 == 0, &compared, &skipped, &stale)
				})
			}
			work.Go(func() {
				for begun := time.Now(); ctx.Err() == nil && (time.Since(begun) < length || !enough()); {
					time.Sleep(10 * time.Millisecond)
				}
				cancel()
			})
			delays := s.delays(ctx, cached, &seen)
			work.Wait()
			if compared.Load() < enoughCompared || seen.Load() == 0 {
				t.Fatal("hardly anything was compared")
			}
			answers, _, _ := api.CacheSize()
			t.Logf("%s: %d answers compared, %d stale, %d not compared because rows changed meanwhile, %d changes by SQL, %d answers in memory; %d changes seen after %s at the median, %s at most", mode,
				compared.Load(), stale.Load(), skipped.Load(), s.writes.Swap(0), answers, len(delays), delays[len(delays)/2].Round(time.Microsecond), delays[len(delays)-1].Round(time.Microsecond))
			if answers < enoughKept {
				t.Errorf("%d answers in memory", answers)
			}
			if mode == settings.CacheStrict && stale.Load() > 0 {
				t.Errorf("%d stale answers", stale.Load())
			}
		})
	}
}

func newCoherentSite(t testing.TB, dsn string, events int) *coherentSite {
	t.Helper()
	s := &coherentSite{t: t, dsn: dsn, events: events, mySQL: wptest.IsMySQL(t)}
	store := s.open(t, nil)
	for _, create := range []func(context.Context) error{store.CreateSchema, store.CreateLanguageSchema} {
		if err := create(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	wptest.Generate(t, store.SQL(), "wp_", events)
	wptest.Translate(t, store.SQL(), "wp_")
	s.db = store.SQL()
	// No two terms may have the same count, because the server is free to choose their order,
	// and MariaDB 11.8 chooses differently each time.
	if _, err := s.db.Exec("UPDATE wp_term_taxonomy SET count = count + term_id"); err != nil {
		t.Fatal(err)
	}
	api := rest.New(store, s.config())
	t.Cleanup(api.Close)
	s.plain = api
	return s
}

func (s *coherentSite) open(t testing.TB, tracker *invalidation.Tracker) *sitedb.DB {
	t.Helper()
	cfg := sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, s.dsn), Now: s.config().Now, Logger: slog.New(slog.DiscardHandler)}, Tables: table.Config{Prefix: "wp_"}, Tracker: tracker}
	if tracker != nil {
		for _, dsn := range s.replicas {
			cfg.Replicas = append(cfg.Replicas, wptest.Server(t, dsn))
		}
		cfg.ReplicaMaxLag = 5 * time.Second
		cfg.ObserveServer = func(server string, _ time.Duration) {
			if server != sqlconn.PrimaryName {
				s.onReplica.Add(1)
			}
		}
	}
	store, err := sitedb.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func (s *coherentSite) config() rest.Config {
	return rest.Config{
		Namespace: "calendar/events/v1", Settings: wpsite.Settings{RESTPrefix: "wp-json", Compat: api.Safe, Theme: wptext.TwentyTwentyFive()},
		Limits:  rest.Limits{RequestTimeout: 2 * time.Minute, MaxBody: 8 << 20, MaxVars: 1000, MaxDepth: 64},
		Now:     func() time.Time { return synthetic.Now },
		Logger:  slog.New(slog.DiscardHandler),
		Caching: rest.Caching{SiteRefresh: s.refresh},
		Auth:    login.Config{ApplicationPasswords: "on"},
	}
}

// keeping serves the site with caches.
func (s *coherentSite) keeping(t testing.TB, mode settings.CacheMode) (http.Handler, *rest.Server) {
	t.Helper()
	tracker := invalidation.NewTracker()
	store := s.open(t, tracker)
	caching := cachesync.Config{Settings: settings.Cache{Mode: mode, Size: 64 << 20}}
	sync := cachesync.Start(caching, store, tracker, site.NewMetrics().Caches, slog.New(slog.DiscardHandler))
	t.Cleanup(sync.Close)
	cfg := s.config()
	site.UseCaches(&cfg, sync)
	api := rest.New(store, cfg)
	t.Cleanup(api.Close)
	wptest.AwaitRows(t, sync.EventIndex())
	return api, api
}

func answered(h http.Handler, target string) string {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.RequestURI = target
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return fmt.Sprintln(w.Code, w.Header()["X-Tec-Total"], w.Header()["Link"], w.Body.String())
}

// target returns a random request that anonymous clients may send.
func (s *coherentSite) target(r *rand.Rand) string {
	language := []string{"", "/en", "/de"}[r.IntN(3)]
	if r.IntN(5) == 0 {
		return language + []string{
			"/events/?ical=1", "/events/list/page/2/?ical=1", fmt.Sprintf("/events/2026-%02d/?ical=1", 1+r.IntN(12)), "/events/list/?ical=1&eventDisplay=past",
			fmt.Sprintf("/event/akce-%d/?ical=1", 1+r.IntN(s.events)), fmt.Sprint("/?ical=1&event_ids=", s.event(r)), fmt.Sprintf("/events/?ical=1&tribe_events_cat[]=%d", 1+r.IntN(6)),
		}[r.IntN(7)]
	}
	root := language + "/wp-json/calendar/events/v1/"
	return root + []string{
		fmt.Sprint("events/", s.event(r)), fmt.Sprintf("events/by-slug/akce-%d", 1+r.IntN(s.events)),
		"events?per_page=5", "events?start_date=2026-01-01&end_date=2027-12-31&per_page=20", "events?featured=true&language_code=en", "events?search=vecer&per_page=3",
		fmt.Sprintf("events?venue=%d", 1001+r.IntN(3)), fmt.Sprintf("events?organizer=%d&per_page=3", 3001+r.IntN(2)), fmt.Sprintf("events?categories=%d", 1+r.IntN(6)),
		"venues", "venues?only_with_upcoming=true", fmt.Sprintf("venues/%d", 1001+r.IntN(3)), "organizers?has_events=true", fmt.Sprintf("organizers/%d", 3001+r.IntN(2)),
		"categories?hide_empty=false", "tags?per_page=5&orderby=count", fmt.Sprintf("categories/%d", 1+r.IntN(6)), "", "doc",
	}[r.IntN(19)]
}

func (s *coherentSite) event(r *rand.Rand) int { return 10001 + r.IntN(s.events) }

// change changes rows as WordPress does, by statements and in transactions.
func (s *coherentSite) change(ctx context.Context, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for ctx.Err() == nil {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return
		}
		for range 1 + r.IntN(3) {
			statement, args := s.statement(r)
			if _, err = tx.ExecContext(ctx, statement, args...); err != nil {
				break
			}
		}
		if r.IntN(10) == 0 || err != nil { // deadlocks between concurrent changes
			_ = tx.Rollback()
		} else if s.commit(tx.Commit) == nil {
			s.writes.Add(1)
		}
		time.Sleep(time.Duration(r.IntN(40)) * time.Millisecond)
	}
}

// commit waits for the pairs of answers between which nothing may change.
func (s *coherentSite) commit(commit func() error) error {
	s.commits.Lock()
	defer s.commits.Unlock()
	return commit()
}

func (s *coherentSite) statement(r *rand.Rand) (string, []any) {
	// Values never repeat, because the server is free to choose the order of equal names and
	// counts (known difference D1).
	id, n := s.event(r), 1000+s.serial.Add(1)
	switch r.IntN(16) {
	case 0, 1:
		return "UPDATE wp_posts SET post_title = ?, post_modified_gmt = '2026-11-21 10:00:00' WHERE ID = ?", []any{fmt.Sprint("Titul ", n), id}
	case 2:
		return "UPDATE wp_posts SET post_status = ? WHERE ID = ?", []any{[]string{"publish", "publish", "draft", "trash", "private"}[r.IntN(5)], id}
	case 3:
		return "UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = '_EventCost'", []any{n, id}
	case 4:
		return "UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = '_EventVenueID'", []any{1001 + r.IntN(3), id}
	case 5:
		return "DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = '_tribe_featured'", []any{id}
	case 6:
		return "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)", []any{id, []string{"_tribe_featured", "_EventHideFromUpcoming", "_EventOrganizerID"}[r.IntN(3)], []string{"1", "yes", "3002"}[r.IntN(3)]}
	case 7:
		date := fmt.Sprintf("2026-%02d-%02d 18:00:00", 1+r.IntN(12), 1+r.IntN(28))
		return "UPDATE wp_tec_occurrences SET start_date = ?, start_date_utc = ?, end_date = ?, end_date_utc = ? WHERE post_id = ?", []any{date, date, date, date, id}
	case 8:
		return "UPDATE wp_terms SET name = ? WHERE term_id = ?", []any{fmt.Sprint("Druh ", n), 1 + r.IntN(12)}
	case 9:
		return "INSERT IGNORE INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (?, ?)", []any{id, 1 + r.IntN(12)}
	case 10:
		return "DELETE FROM wp_term_relationships WHERE object_id = ?", []any{id}
	case 11:
		return "UPDATE wp_term_taxonomy SET count = ? WHERE term_id = ?", []any{n, 1 + r.IntN(12)}
	case 12:
		return "UPDATE wp_options SET option_value = ? WHERE option_name = 'posts_per_page'", []any{5 + r.IntN(10)}
	case 13:
		return "UPDATE wp_posts SET post_title = ?, post_content = ? WHERE ID = ?", []any{fmt.Sprint("Sál ", n), fmt.Sprint("<p>Popis ", n, "</p>"), []int{1001, 1002, 3001, 3002}[r.IntN(4)]}
	case 14:
		return "UPDATE wp_icl_translations SET language_code = ? WHERE element_type = 'post_tribe_events' AND element_id = ?", []any{wptest.GeneratedLanguages[r.IntN(3)], id}
	default:
		return "UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = '_wp_attached_file'", []any{fmt.Sprintf("2026/%d.jpg", n), 5001 + r.IntN(20)}
	}
}

// compare sends the same request to both servers. It compares the responses if nothing was
// committed in between, by chance or because it blocks commits.
func (s *coherentSite) compare(ctx context.Context, t *testing.T, cached http.Handler, seed uint64, strict, holding bool, compared, skipped, stale *atomic.Int64) {
	r := rand.New(rand.NewPCG(seed, 2))
	for ctx.Err() == nil {
		target := s.target(r)
		if holding {
			s.commits.RLock()
		}
		before := s.position(ctx)
		got, want := answered(cached, target), answered(s.plain, target)
		after := s.position(ctx)
		if holding {
			s.commits.RUnlock()
		}
		if before == "" || after != before {
			skipped.Add(1)
			continue
		}
		compared.Add(1)
		if got != want && len(s.replicas) > 0 {
			// While the primary finishes a commit, the log, and with it a replica, is ahead of
			// what the primary shows.
			if want = s.settled(ctx, target, got, before); want == "" {
				continue
			}
		}
		if got != want {
			stale.Add(1)
			if strict {
				t.Errorf("%s at %s: from memory\n%s\nfrom the database\n%s", target, before, got, want)
			}
		}
	}
}

// settled requests the same from the database until the responses agree, for some seconds. It
// returns "" if something else was committed meanwhile.
func (s *coherentSite) settled(ctx context.Context, target, same, position string) (want string) {
	for range 50 {
		time.Sleep(100 * time.Millisecond)
		want = answered(s.plain, target)
		if s.position(ctx) != position {
			return ""
		}
		if want == same {
			break
		}
	}
	return want
}

// position returns the position of the binary log, or "" at the end of the test. All changes
// up to it are readable now or will be soon. MySQL adds a transaction to the executed ones
// only when its changes are readable.
func (s *coherentSite) position(ctx context.Context) string {
	var at string
	variable := "@@GLOBAL.gtid_binlog_pos"
	if s.mySQL {
		variable = "CONCAT(@@GLOBAL.gtid_owned, ' ', @@GLOBAL.gtid_executed)"
	}
	if err := s.db.QueryRowContext(ctx, "SELECT "+variable).Scan(&at); err != nil {
		return ""
	}
	return at
}

// delays changes a title repeatedly. It measures the times from the commit until a cached
// response shows the title, in ascending order, and counts the responses.
func (s *coherentSite) delays(ctx context.Context, cached http.Handler, seen *atomic.Int64) []time.Duration {
	var delays []time.Duration
	target := "/wp-json/calendar/events/v1/organizers/3001"
	for n := 0; ctx.Err() == nil; n++ {
		mark := fmt.Sprintf("+420 %d", n)
		err := s.commit(func() error {
			_, err := s.db.ExecContext(ctx, "UPDATE wp_postmeta SET meta_value = ? WHERE post_id = 3001 AND meta_key = '_OrganizerPhone'", mark)
			return err
		})
		if err != nil {
			continue
		}
		committed := time.Now()
		for ctx.Err() == nil {
			if strings.Contains(answered(cached, target), `"`+mark+`"`) {
				delays = append(delays, time.Since(committed))
				seen.Add(1)
				break
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	slices.Sort(delays)
	return delays
}
