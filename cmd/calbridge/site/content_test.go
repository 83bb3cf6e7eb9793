package site

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"calbridge/rest/rollout"
	"calbridge/wpstore/php"
	"calbridge/wpstore/synthetic"
)

// builderEvents is the number of events of a site that was made with a page builder.
const builderEvents = 200

// builder returns a page builder. In place of the shortcodes and blocks of an event it shows how many are in
// stock, which is metadata, and how many guards there are, which is a table of its own.
func builder() *hook {
	return &hook{name: "page builder", apply: func(s *standIn, a *hooked) {
		var guards int
		_ = s.db.QueryRow("SELECT COUNT(*) FROM wp_members_guards").Scan(&guards)
		text := func(id int64) string {
			var stock string
			_ = s.db.QueryRow("SELECT meta_value FROM wp_postmeta WHERE post_id = ? AND meta_key = '_builder_stock'", id).Scan(&stock)
			return fmt.Sprintf("<section><p>%s in stock, %d guards</p></section>", stock, guards)
		}
		a.described(func(id int64, _ string) string { return text(id) })
		a.events(func(e *php.Array) bool {
			text := text(php.ToInt(e.At("id")))
			e.SetString("description", text)
			if data, ok := e.At("json_ld").(*php.Array); ok {
				data.SetString("description", html.EscapeString(text))
			}
			return true
		})
	}}
}

// Exports: the one that subscribers request, that of the list, and that of the current month.
const (
	subscribed  = "/?post_type=tribe_events&ical=1&eventDisplay=list"
	listExport  = "/events/list/?ical=1"
	monthExport = "/events/month/?ical=1"
)

// singleExport returns the target of the export of an event.
func (s *autoSite) singleExport(id int64) string {
	s.t.Helper()
	var slug string
	if err := s.store.SQL().QueryRow("SELECT post_name FROM wp_posts WHERE ID = ?", id).Scan(&slug); err != nil {
		s.t.Fatal(err)
	}
	return "/event/" + slug + "/?ical=1"
}

// builderTargets returns the default list, pages of a year, and single events, with exports of them.
func (s *autoSite) builderTargets() []string {
	s.t.Helper()
	all := []string{
		"events", "events?start_date=2025-01-01&end_date=2035-01-01&per_page=50", "events?start_date=2025-01-01&end_date=2035-01-01&per_page=50&page=2",
		subscribed, listExport, monthExport, "/events/list/page/2/?ical=1", "/events/list/?outlook-ical=1",
	}
	for i := range autoEvents {
		all = append(all, fmt.Sprint("events/", synthetic.FirstEvent+i))
		if i%4 == 0 {
			all = append(all, s.singleExport(int64(synthetic.FirstEvent+i)))
		}
	}
	return all
}

// TestPageBuilder checks that a site whose texts only WordPress can render is answered natively and
// exactly, in both modes, while rows change that the texts depend on. It measures what an edit costs.
func TestPageBuilder(t *testing.T) {
	if testing.Short() {
		t.Skip("the requests follow one another; TestAuto runs the same goroutines")
	}
	dsn := calendarOf(t, builderEvents)
	for _, mode := range []rollout.Mode{rollout.Native, rollout.Auto} {
		t.Run(string(mode), func(t *testing.T) {
			s := newProvedSite(t, dsn, builder(), mode)
			s.wp.exec(`UPDATE wp_posts SET post_content = CONCAT('[builder_row id="', ID, '"][builder_stock of="', ID, '"][/builder_row]<!-- wp:builder/box --><div><!-- wp:builder/guards /--></div><!-- /wp:builder/box -->')
				WHERE post_type = 'tribe_events'`)
			s.activate(true)
			s.proveTargets(s.builderTargets())
			s.wrong = 0
			changes := []func(id int64){
				func(id int64) {
					s.wp.exec("UPDATE wp_posts SET post_title = CONCAT(?, ' ', ?) WHERE ID = ?", mode, s.seed.IntN(1e6), id)
				},
				func(id int64) {
					s.wp.exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = '_builder_stock'", id)
					s.wp.exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_builder_stock', ?)", id, s.seed.IntN(1e6))
				},
				func(id int64) { byTable(s.wp, id, s.seed.IntN(2) == 0) },
			}
			s.asked, s.native = 0, 0
			all := s.builderTargets()
			for range 60 {
				if s.seed.IntN(6) == 0 {
					changes[s.seed.IntN(len(changes))](int64(synthetic.FirstEvent + s.seed.IntN(autoEvents)))
					s.settle()
				}
				s.ask(all[s.seed.IntN(len(all))])
			}
			t.Logf("native %.0f %% of the requests while one in six is preceded by a write", 100*float64(s.native)/float64(s.asked))
			s.proveTargets(all)
			_, listed := shows(s.ask("events").Body.Bytes())
			shown := []string{fmt.Sprint("events/", listed[0]), "events", s.singleExport(listed[0]), subscribed, monthExport}
			s.proveTargets(shown)
			for i, edit := range changes[:2] {
				before := s.wp.asked.Load()
				edit(listed[0])
				s.settle()
				s.proveTargets(shown)
				cost := s.wp.asked.Load() - before
				t.Logf("edit %d costs %d requests to WordPress for the single event, the default list, their exports and that of the month", i, cost)
				if cost > 2*int64(len(shown)) { // for each target one that answers a client, and one that fills
					t.Errorf("an edit costs %d requests for %d targets", cost, len(shown))
				}
			}
			s.wp.exec("UPDATE wp_posts SET post_status = 'draft' WHERE ID = ?", synthetic.FirstEvent)
			s.settle()
			for _, target := range all {
				s.ask(target)
			}
			s.quiet()
			s.wp.exec("UPDATE wp_posts SET post_status = 'publish' WHERE ID = ?", synthetic.FirstEvent)
			s.settle()
			if s.wrong > 0 {
				t.Errorf("%d wrong answers", s.wrong)
			}
			if f := s.prover.Report().Fragments; f.Hits == 0 {
				t.Errorf("nothing was composed: %+v", f)
			}
		})
	}
}

// TestPageBuilderFeeds checks that feeds of our own show WordPress's rendering of a text while it is held, and
// that they no longer do when it ends.
func TestPageBuilderFeeds(t *testing.T) {
	s := newProvedSite(t, calendarOf(t, calendarEvents), builder(), rollout.Native)
	const event, other = synthetic.FirstEvent, synthetic.FirstEvent + 1
	s.wp.exec(`UPDATE wp_posts SET post_content = CONCAT('[builder_row id="', ID, '"]') WHERE post_type = 'tribe_events'`)
	s.wp.exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_builder_stock', '77')", event)
	s.activate(true)
	ask := func(target string) (body string, header http.Header) {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, "/wp-json/calendar/events/v1/"+target, nil)
		r.RequestURI = r.URL.RequestURI()
		rec := httptest.NewRecorder()
		s.h.ServeHTTP(rec, r)
		if rec.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", target, rec.Code, rec.Body)
		}
		return strings.ReplaceAll(rec.Body.String(), "\r\n ", ""), rec.Header()
	}
	feeds := []string{"events.ics", fmt.Sprintf("events/%d.ics", event), "events.jsonfeed"}
	expect := func(what, text string, shown bool) {
		t.Helper()
		for _, feed := range feeds {
			body, header := ask(feed)
			if strings.Contains(body, text) != shown || header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %s shows %q: %t, Cache-Control %q", what, feed, text, !shown, header.Get("Cache-Control"))
			}
		}
	}
	expect("before it was requested", "77 in stock", false)
	s.proveTargets([]string{fmt.Sprint("events/", event)})
	expect("held", "77 in stock", true)
	if body, _ := ask("events.ics"); !strings.Contains(body, fmt.Sprintf("[builder_row id=\"%d\"]", other)) && !strings.Contains(body, fmt.Sprintf("[builder_row id=”%d″]", other)) {
		t.Error("an event without WordPress's rendering has lost its text")
	}
	s.wp.exec("UPDATE wp_posts SET post_status = 'draft' WHERE ID = ?", other)
	s.settle()
	expect("another event was hidden", "77 in stock", false)
	s.proveTargets([]string{fmt.Sprint("events/", event)})
	expect("requested again", "77 in stock", true)
	s.wp.exec("UPDATE wp_postmeta SET meta_value = '78' WHERE post_id = ? AND meta_key = '_builder_stock'", event)
	s.settle()
	expect("its metadata has changed", "77 in stock", false)
	s.proveTargets([]string{fmt.Sprint("events/", event)})
	expect("requested once more", "78 in stock", true)
	s.code.Add(1)
	if err := s.prover.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("the code has changed", "78 in stock", false)
}

// TestPageBuilderForwarded checks that mode native leaves requests to WordPress if the responses also
// differ elsewhere, or if the texts vary by themselves.
func TestPageBuilderForwarded(t *testing.T) {
	if testing.Short() {
		t.Skip("the requests follow one another; TestAuto runs the same goroutines")
	}
	dsn := calendarOf(t, calendarEvents)
	for _, c := range []struct {
		name   string
		change func(e *php.Array)
		export func(id int64, was string) string
	}{
		{"another member", func(e *php.Array) { e.SetString("dress_code", "black") }, func(_ int64, was string) string { return was + "\r\nX-DRESS-CODE:black" }},
		{"text at random", func(e *php.Array) { e.SetString("description", fmt.Sprintf("<b>%d</b>", rand.Int64())) }, func(int64, string) string { return strconv.FormatInt(rand.Int64(), 10) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newProvedSite(t, dsn, &hook{name: c.name, apply: func(_ *standIn, a *hooked) {
				a.described(c.export)
				a.events(func(e *php.Array) bool { c.change(e); return true })
			}}, rollout.Native)
			s.wp.exec(`UPDATE wp_posts SET post_content = CONCAT('[builder_row id="', ID, '"]') WHERE post_type = 'tribe_events'`)
			s.activate(true)
			for range 6 {
				for _, target := range s.builderTargets() {
					s.ask(target)
				}
				s.quiet()
			}
			if s.native > 0 {
				t.Errorf("%d of %d answered natively: %+v", s.native, s.asked, s.prover.Report().Fragments)
			}
		})
	}
}

// proveTargets sends requests until all of them are answered natively.
func (s *autoSite) proveTargets(targets []string) {
	s.t.Helper()
	for range 8 * comparisons() {
		s.asked, s.native = 0, 0
		for _, target := range targets {
			s.ask(target)
		}
		s.quiet()
		if s.native == s.asked {
			return
		}
	}
	s.logShapes()
	r := s.prover.Report()
	s.t.Fatalf("%d of %d answered natively: %+v, varying %+v, ended %v, tables %v", s.native, s.asked, r.Fragments, r.Volatile, r.Endings, r.Tables)
}
