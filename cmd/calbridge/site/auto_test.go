package site

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/settings"
	"calbridge/compat/diff"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/fragment"
	"calbridge/rest/login"
	"calbridge/rest/proof"
	"calbridge/rest/rollout"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// autoEvents is the number of events that are requested and written. calendarEvents is the
// number of all events; it exceeds a page.
const (
	autoEvents     = 20
	calendarEvents = 64
)

// autoSite is a site in mode auto, with a stand-in for WordPress behind it.
type autoSite struct {
	t       testing.TB
	store   *sitedb.DB
	tracker *invalidation.Tracker
	wp      *standIn
	prover  *proof.Prover
	h       *rollout.Handler
	ours    *rest.Server
	seed    *rand.Rand

	clock atomic.Int64 // clock of the proofs only, in nanoseconds of Unix time
	code  atomic.Int64
	last  atomic.Value // the proof.Reason of the last decision
	mode  rollout.Mode
	// forwarded counts the requests of clients that were sent to WordPress.
	forwarded atomic.Int64

	strangers bool // all visitors are anonymous

	wrong, shown, asked, native int
	// pieces counts the entries that were shown of lists that were not released as a whole.
	pieces, piecesWrong int
	longestWrong        time.Duration
	changed             int64 // time at which the hook last changed
}

// Ended, Decided and the methods below implement proof.Observer and rollout.Observer.
func (s *autoSite) Ended(proof.Ending)         {}
func (s *autoSite) Decided(why proof.Reason)   { s.last.Store(why) }
func (s *autoSite) Turned([]string)            {}
func (s *autoSite) Dropped(string)             {}
func (s *autoSite) Compared(*rollout.Compared) {}

// Asked implements rollout.Observer.
func (s *autoSite) Asked(a *rollout.Asked) {
	if a.Purpose != rollout.ForComparison {
		s.forwarded.Add(1)
	}
}

func (s *autoSite) now() time.Time { return time.Unix(0, s.clock.Load()) }

// autoDatabase returns a calendar on a server with a binary log.
func autoDatabase(t testing.TB) (dsn string) { return calendarOf(t, calendarEvents) }

// calendarOf returns a calendar with a number of events on a server with a binary log.
func calendarOf(t testing.TB, events int) (dsn string) {
	t.Helper()
	dsn = wptest.Replicated(t)
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn), Logger: slog.New(slog.DiscardHandler)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.CreateSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	wptest.Generate(t, store.SQL(), "wp_", events)
	if _, err := store.SQL().Exec("CREATE TABLE wp_members_guards (event_id bigint PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	return dsn
}

// newAutoSite opens the database for one hook. Each site has its own prover.
func newAutoSite(t testing.TB, dsn string, h *hook) *autoSite {
	t.Helper()
	return newProvedSite(t, dsn, h, rollout.Auto)
}

// newProvedSite opens the database for one hook in mode auto, or in mode native with a prover for
// content that only WordPress can render.
func newProvedSite(t testing.TB, dsn string, h *hook, mode rollout.Mode) *autoSite {
	t.Helper()
	s := &autoSite{t: t, mode: mode, seed: rand.New(rand.NewPCG(1, 2))}
	s.clock.Store(synthetic.Now.UnixNano())
	tracker := invalidation.NewTracker()
	store, err := sitedb.Open(t.Context(), sitedb.Config{
		Config: sqlconn.Config{Database: wptest.Address(t, dsn), Now: func() time.Time { return synthetic.Now }, Logger: slog.New(slog.DiscardHandler)},
		Tables: table.Config{Prefix: "wp_"}, Tracker: tracker,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s.store, s.tracker = store, tracker
	s.prover = proof.New(proof.Config{
		Settings: proof.Settings{Comparisons: comparisons(), Time: 10 * time.Minute, Sample: 1, Rate: 5, Bytes: 8 << 20, OnlyContent: mode == rollout.Native},
		Tracker:  tracker, Facts: s.facts, Known: knownArguments("language_code"), Now: s.now, Observer: s, Logger: slog.New(slog.DiscardHandler),
		Fragments: fragment.New(fragment.Config{Tracker: tracker, MaxAge: 24 * time.Hour, StaleIfError: 24 * time.Hour, Apart: time.Minute, Bytes: 8 << 20, Now: s.now}),
	})
	sync := cachesync.Start(cachesync.Config{Settings: settings.Cache{Mode: settings.CacheAuto, Size: 64 << 20}, OtherChanges: s.prover.Others, Hidden: s.prover.Hidden}, store, tracker, NewMetrics().Caches, slog.New(slog.DiscardHandler))
	t.Cleanup(sync.Close)
	wptest.AwaitRows(t, sync.EventIndex())
	cfg := rest.Config{
		Namespace: "calendar/events/v1", Settings: wpsite.Settings{RESTPrefix: "wp-json", Compat: api.Safe, Theme: wptext.TwentyTwentyFive()},
		Limits: rest.Limits{RequestTimeout: 2 * time.Minute, MaxBody: 8 << 20, MaxVars: 1000, MaxDepth: 64},
		Now:    func() time.Time { return synthetic.Now }, Logger: slog.New(slog.DiscardHandler),
		Auth: login.Config{ApplicationPasswords: "on"},
	}
	UseCaches(&cfg, sync)
	cfg.PageCap = func(string) int64 { return s.wp.pageCap() }
	theirs := rest.New(store, cfg)
	t.Cleanup(theirs.Close)
	cfg.PageCap, cfg.Extensions, cfg.Described = s.prover.Adjustments().PageCap, mode == rollout.Native, describedBy(s.prover)
	ours := rest.New(store, cfg)
	t.Cleanup(ours.Close)
	s.ours = ours
	s.wp = &standIn{t: t, site: theirs, db: store.SQL(), hook: h, closed: map[int64]bool{}}
	server := httptest.NewServer(s.wp)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(server.Close)
	judge, err := diffmode.Open(diffmode.Config{Settings: settings.Compare{Level: diff.LevelBytes}, LanguageParam: "language_code", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s.h, err = rollout.New(rollout.Config{
		Own:  ours.Own,
		Plan: rollout.Plan{Mode: mode, Clients: 100, Compared: 100}, Native: ours, Upstream: &rollout.Upstream{URL: server.URL, Timeout: time.Minute},
		Client: func(*http.Request) string { return "" }, MaxBody: 1 << 20, Judge: judge, Prover: s.prover, Settle: store.Feed.CatchUp, Observer: s, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.h.Close)
	return s
}

// facts returns the facts of the stand-in. Its active plugins are in the database.
func (s *autoSite) facts(ctx context.Context) (proof.Facts, error) {
	found, err := s.store.Session(nil).Options.SiteFacts(ctx)
	if err != nil {
		return nil, err
	}
	return proof.Facts{proof.CodeFact: fmt.Sprint(s.code.Load()), "plugins": fmt.Sprint(found.ActivePlugins)}, nil
}

// settle waits until the changes have arrived.
func (s *autoSite) settle() {
	s.t.Helper()
	for range 200 {
		if s.store.Feed.CatchUp(s.t.Context()) == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatal("changes don't arrive")
}

// activate switches the plugin on or off by changing a row, as WordPress does.
func (s *autoSite) activate(on bool) {
	plugins := `a:1:{i:0;s:43:"the-events-calendar/the-events-calendar.php";}`
	if on {
		plugins = `a:2:{i:0;s:17:"members/guard.php";i:1;s:43:"the-events-calendar/the-events-calendar.php";}`
	}
	s.wp.exec("UPDATE wp_options SET option_value = ? WHERE option_name = 'active_plugins'", plugins)
	s.wp.on.Store(on)
	s.settle()
	s.changed = s.clock.Load()
}

// targets returns the request targets of the load.
func targets() []string {
	var all []string
	for i := range autoEvents {
		all = append(all, fmt.Sprint("events/", synthetic.FirstEvent+i))
	}
	for page := range 2 { // calbridge itself would refuse further pages
		all = append(all, fmt.Sprintf("events?start_date=2025-01-01&end_date=2028-01-01&per_page=10&page=%d", page+1))
	}
	for i := range 3 {
		all = append(all, fmt.Sprintf("events?start_date=2025-01-01&end_date=2035-01-01&per_page=6%d", i%2), fmt.Sprintf("events?categories=%d", i+1), fmt.Sprintf("categories/%d", i+1))
	}
	return append(all, subscribed, monthExport, "venues", fmt.Sprint("venues/", synthetic.FirstVenue), "categories")
}

// ask sends a request to calbridge. It compares a native response with what WordPress would
// respond. A target that begins with a slash isn't one of the API.
func (s *autoSite) ask(target string) *httptest.ResponseRecorder {
	s.t.Helper()
	s.clock.Add(int64(10 * time.Second))
	if !strings.HasPrefix(target, "/") {
		target = "/wp-json/calendar/events/v1/" + target
	}
	request := func() *http.Request {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.RequestURI = target
		return r
	}
	rec, r := httptest.NewRecorder(), request()
	member := s.wp.hook.name == "field of the user" && !s.strangers && s.seed.IntN(4) == 0
	if member {
		r.AddCookie(&http.Cookie{Name: "member", Value: "Ann"})
	}
	before := s.forwarded.Load()
	s.h.ServeHTTP(rec, r)
	s.asked++
	if strings.Contains(target, "/events?") && !member {
		s.askInside(request())
	}
	if s.forwarded.Load() > before || s.mode == rollout.Auto && s.last.Load() != proof.None {
		return rec
	}
	s.native++
	truth := request()
	if member {
		truth.AddCookie(&http.Cookie{Name: "member", Value: "Ann"})
	}
	want := s.wp.answer(truth)
	if rec.Code != want.status || rec.Body.String() != string(want.body) || rec.Header().Get("X-Shop") != want.header.Get("X-Shop") {
		s.wrong++
		s.longestWrong = max(s.longestWrong, time.Duration(s.clock.Load()-s.changed))
	}
	if closes := s.wp.hook.closes; closes != nil && s.wp.on.Load() {
		single, ids := shows(rec.Body.Bytes())
		for _, id := range ids {
			if closes(s.wp, single, id) {
				s.shown++
				break
			}
		}
	}
	return rec
}

// askInside requests a list as the process itself does. It checks that no entry is one that the plugin has
// closed, and counts the entries of lists that were not released as a whole.
func (s *autoSite) askInside(r *http.Request) {
	s.t.Helper()
	inside, err := s.h.Shown(r)
	if err != nil {
		s.t.Fatal(err)
	}
	if inside.NotProven || inside.Status != http.StatusOK {
		return
	}
	want := entries(s.wp.answer(r.Clone(r.Context())).body)
	for id, entry := range entries(inside.Body) {
		if closes := s.wp.hook.closes; closes != nil && s.wp.on.Load() && closes(s.wp, false, id) {
			s.shown++
		}
		if len(inside.Held) == 0 {
			continue
		}
		if s.pieces++; entry != want[id] {
			s.piecesWrong++
		}
	}
}

// entries returns the events of a list by their ids, encoded again: the stand-in does that too.
func entries(body []byte) map[int64]string {
	var list struct{ Events []map[string]any }
	all := map[int64]string{}
	if json.Unmarshal(body, &list) != nil {
		return all
	}
	for _, event := range list.Events {
		encoded, _ := json.Marshal(event) // what was decoded can be encoded
		_, ids := shows(encoded)
		all[ids[0]] = string(encoded)
	}
	return all
}

// load sends requests. If writes is true, it also writes in between.
func (s *autoSite) load(requests int, writes bool) {
	s.t.Helper()
	all := targets()
	for range requests {
		if writes && s.seed.IntN(6) == 0 {
			s.write()
		}
		s.ask(all[s.seed.IntN(len(all))])
	}
}

// write changes a row, or closes or opens an event.
func (s *autoSite) write() {
	s.t.Helper()
	id := int64(synthetic.FirstEvent + s.seed.IntN(autoEvents))
	guard := s.wp.hook.guard
	switch what := s.seed.IntN(4); {
	case guard != nil && what < 3:
		// WordPress acts on what it stores only after the commit.
		closed := s.seed.IntN(3) == 0
		guard(s.wp, id, closed)
		s.wp.setClosed(id, closed)
	case what%2 == 0:
		s.wp.exec("UPDATE wp_posts SET post_title = CONCAT('Event ', ?) WHERE ID = ?", s.seed.IntN(1e6), id)
	default:
		s.wp.exec("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = '_EventCost'", s.seed.IntN(100), id)
	}
	s.settle()
}

// sweep requests everything until the comparisons are done.
func (s *autoSite) sweep() {
	s.t.Helper()
	for _, target := range targets() {
		s.ask(target)
	}
	s.quiet()
}

// quiet waits until no comparison is queued or running.
func (s *autoSite) quiet() {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); s.h.Comparing() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%d comparisons don't end", s.h.Comparing())
		}
	}
}

// requestsPerHook returns the number of requests of a load.
func requestsPerHook() int {
	switch {
	case os.Getenv("CALBRIDGE_LONG") != "":
		return 20_000
	case testing.Short():
		return 60
	}
	return 120
}

// comparisons returns the number of comparisons that prove a shape.
func comparisons() int {
	if os.Getenv("CALBRIDGE_LONG") != "" {
		return 20
	}
	return 4
}

// prove sends requests until all of them are answered natively.
func (s *autoSite) prove() {
	s.t.Helper()
	for range 4 * comparisons() {
		s.asked, s.native = 0, 0
		if s.sweep(); s.native == s.asked {
			return
		}
	}
	s.t.Fatalf("%d of %d answered natively: %v", s.native, s.asked, s.prover.Report().Answers)
}

// mostlyNative is the least share of native answers, in percent, on a site whose objects are composed.
const mostlyNative = 95

// share returns how many of some requests are answered natively, in percent.
func (s *autoSite) share() float64 {
	s.t.Helper()
	s.asked, s.native = 0, 0
	s.load(60, false)
	return 100 * float64(s.native) / float64(s.asked)
}

// logShapes logs how far each shape is proven.
func (s *autoSite) logShapes() {
	s.t.Helper()
	for _, p := range s.prover.Report().Shapes {
		s.t.Log(p.Route, p.Arguments, p.State, p.Identical, p.Difference)
	}
}

// composes checks that responses with WordPress's objects were right, and that they stay right while
// rows change.
func (s *autoSite) composes(share float64) {
	s.t.Helper()
	if hits := s.prover.Report().Fragments.Hits; share < mostlyNative || hits == 0 {
		s.t.Errorf("%.1f %% answered natively, %d composed: %v, %+v", share, hits, s.prover.Report().Answers, s.prover.Report().Fragments)
		s.logShapes()
	}
	s.wrong, s.asked, s.native = 0, 0, 0
	s.load(requestsPerHook()/2, true)
	s.t.Logf("%-32s native %5.1f %% while one request in six is preceded by a write; %d wrong answers; %+v", s.wp.hook.name, 100*float64(s.native)/float64(s.asked), s.wrong, s.prover.Report().Fragments)
	if s.wrong > 0 {
		s.t.Errorf("%d wrong answers", s.wrong)
	}
}

// printedEvent is an event whose title the plugin of TestHiddenEvent prints into all others.
const printedEvent = synthetic.FirstEvent + calendarEvents/2

// hiddenTitle is the title that the plugin prints.
const hiddenTitle = "Secret concert"

// TestHiddenEvent checks that an event that a plugin prints into others is never shown there after it
// was unpublished, although no row of the others has changed.
func TestHiddenEvent(t *testing.T) {
	if testing.Short() {
		t.Skip("the requests follow one another; TestAuto runs the same goroutines")
	}
	s := newAutoSite(t, autoDatabase(t), &hook{name: "title of another event", apply: func(s *standIn, a *hooked) {
		var title string
		if s.db.QueryRow("SELECT post_title FROM wp_posts WHERE ID = ? AND post_status = 'publish'", printedEvent).Scan(&title) == nil {
			a.events(func(e *php.Array) bool { e.SetString("related", title); return true })
			a.described(func(_ int64, was string) string { return was + " Related: " + title })
		}
	}})
	s.wp.exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", hiddenTitle, printedEvent)
	all := append(targets(), listExport, s.singleExport(synthetic.FirstEvent))
	s.activate(true)
	s.proveTargets(all)
	s.wp.exec("UPDATE wp_posts SET post_status = 'draft' WHERE ID = ?", printedEvent)
	s.settle()
	s.wrong = 0
	for _, target := range all {
		if rec := s.ask(target); strings.Contains(rec.Body.String(), hiddenTitle) {
			t.Errorf("%s shows the title of the event after it was unpublished", target)
		}
	}
	if s.quiet(); s.wrong > 0 {
		t.Errorf("%d answers show the event after it was unpublished", s.wrong)
	}
	if f := s.prover.Report().Fragments; f.Endings[fragment.EndHidden] == 0 || f.Hits == 0 {
		t.Errorf("%+v", f)
	}
}

// TestAuto switches each hook on, changes it, and switches it off under a load with writes. It
// checks that no closed event is ever shown, and that anything else is wrong only until the
// next comparison.
func TestAuto(t *testing.T) {
	dsn := autoDatabase(t)
	for i, h := range hooks() {
		if testing.Short() && i%6 != 0 { // fewer hooks, for the race detector
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			s := newAutoSite(t, dsn, h)
			n := requestsPerHook()
			s.load(n/3, true)
			s.sweep()
			s.activate(true)
			s.load(n/3, true)
			s.code.Add(1) // a new version of the plugin's code, and the companion's next report of it
			s.wp.variant.Store(true)
			if err := s.prover.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			before := s.prover.Report().Fragments.Hits
			s.load(n/6, true)
			for range comparisons() / 2 {
				s.sweep()
			}
			s.strangers = true
			if h.learned || h.composed {
				s.prove()
			}
			rules := s.prover.Report()
			withHook := s.share()
			if h.composed {
				s.composes(withHook)
			}
			if f := s.prover.Report(); h.volatile && (f.Fragments.Hits > before || len(f.Volatile) == 0) {
				t.Errorf("fragments that vary: %+v, %+v", f.Fragments, f.Volatile)
			}
			s.activate(false)
			s.load(n/6, true)
			s.prove()
			s.asked, s.native = 0, 0
			s.load(100, false)
			share := 100 * float64(s.native) / float64(s.asked)
			report := s.prover.Report()
			t.Logf("%-32s %d entries of lists that were not released, %d not WordPress's", h.name, s.pieces, s.piecesWrong)
			t.Logf("%-32s native %5.1f %% with the hook, %5.1f %% without; %d wrong answers, the last after %s; %d closed shown; %v %v", h.name, withHook, share, s.wrong, s.longestWrong, s.shown, report.Endings, report.Tables)
			if learned := len(rules.Headers) + len(rules.PageCaps) + len(rules.Varying); h.learned != (learned > 0) {
				t.Errorf("learned: %v, %v, %v", rules.Headers, rules.PageCaps, rules.Varying)
			}
			if s.shown > 0 {
				t.Errorf("%d closed events shown", s.shown)
			}
			if share < 98 {
				t.Errorf("%.1f %% answered natively at the end: %v", share, report.Answers)
				s.logShapes()
			}
		})
	}
}

// TestShownInside checks which entries of a list the process itself may show: after a change of one event all
// others, and never one that the plugin has closed.
func TestShownInside(t *testing.T) {
	all := hooks()
	s := newAutoSite(t, autoDatabase(t), all[slices.IndexFunc(all, func(h *hook) bool { return h.name == "events hidden by meta" })])
	s.strangers = true
	s.activate(true)
	s.prove()
	request := func() *http.Request {
		const target = "/wp-json/calendar/events/v1/events?start_date=2025-01-01&end_date=2028-01-01&per_page=10&page=1"
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.RequestURI = target
		return r
	}
	expect := func(what string, shown, held int, without int64) {
		t.Helper()
		inside, err := s.h.Shown(request())
		if err != nil {
			t.Fatal(err)
		}
		got, want := entries(inside.Body), entries(s.wp.answer(request()).body)
		if inside.NotProven || len(got) != shown || len(inside.Held) != held || got[without] != "" {
			t.Errorf("%s: %d shown and %d held, want %d and %d: %.200s", what, len(got), len(inside.Held), shown, held, inside.Body)
		}
		for id, entry := range got {
			if entry != want[id] {
				t.Errorf("%s: event %d is not WordPress's", what, id)
			}
		}
		s.quiet()
	}
	// after makes a change and expects what is shown before WordPress is asked again, which may happen at any time.
	after := func(what string, shown, held int, without int64, change func(try int)) {
		t.Helper()
		for try := range 10 {
			s.quiet()
			asked := s.wp.asked.Load()
			change(try)
			if s.settle(); s.wp.asked.Load() == asked {
				break
			}
		}
		expect(what, shown, held, without)
	}
	expect("proven", 10, 0, 0)
	var id int64
	for id = range entries(s.wp.answer(request()).body) {
		break
	}
	after("one has changed", 9, 1, id, func(try int) {
		s.wp.exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", fmt.Sprint("Title ", try), id)
	})
	expect("compared again", 10, 0, 0)
	after("closed", 9, 1, id, func(int) {
		s.wp.hook.guard(s.wp, id, true)
		s.wp.setClosed(id, true)
	})
	expect("closed and compared", 9, 0, id)
	s.wp.exec("CREATE TABLE wp_other (id bigint)")
	after("an unknown table has changed", 0, 9, id, func(int) { s.wp.exec("INSERT INTO wp_other VALUES (1)") })
	s.code.Add(1)
	if err := s.prover.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if inside, err := s.h.Shown(request()); err != nil || !inside.NotProven || len(inside.Body)+len(inside.Held) > 0 {
		t.Errorf("other code: %+v, %v", inside, err)
	}
}
