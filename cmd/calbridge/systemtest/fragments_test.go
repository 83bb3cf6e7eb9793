package systemtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/app"
	"calbridge/rest/fragment"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// TestFragments checks the program with a WordPress whose plugin changes a field of each event:
// calbridge answers with WordPress's objects, sends an entity tag of its own, stops when a row of the
// event changes or WordPress hasn't confirmed them for --fragment-max-age, requests objects in use
// again before that, answers with them while WordPress is down, and reports all that.
func TestFragments(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, and proves for a second")
	}
	t.Parallel()
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 6)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	ref.broken.Store(&[2]string{`"sticky":false`, `"sticky":"no"`})
	s := &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", modesNow, "--read-only", "--compat", "safe", "--mode", "auto", "--upstream", ref.URL,
		"--proof-comparisons", "3", "--proof-time", "1s", "--proof-without-companion", "--fragment-max-age", "3s"), ref}
	event := strconv.Itoa(synthetic.FirstEvent)
	paths := []string{"events/" + event, "events?start_date=2025-01-01&end_date=2030-01-01"}
	get := func(path string) (native bool, resp *http.Response, body string) {
		t.Helper()
		resp, body = fetch(t, s.api+"/wp-json/calendar/events/v1/"+path)
		if resp.StatusCode != 200 || !strings.Contains(body, `"sticky":"no"`) || strings.Contains(body, `"sticky":false`) {
			t.Fatalf("%s: %d %s", path, resp.StatusCode, body)
		}
		return resp.Header.Get("X-Powered-By") == "", resp, body
	}
	for _, path := range paths {
		waitFor(t, func() bool { native, _, _ := get(path); return native })
		_, resp, body := get(path)
		var decoded struct{ ID int64 }
		if err := json.Unmarshal([]byte(body), &decoded); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		tag := resp.Header.Get("Etag")
		r, err := http.NewRequest(http.MethodGet, s.api+"/wp-json/calendar/events/v1/"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", tag)
		again, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		again.Body.Close()
		if tag == "" || resp.Header.Get("Last-Modified") == "" || again.StatusCode != http.StatusNotModified && again.Header.Get("X-Powered-By") == "" {
			t.Errorf("%s: %d with %q", path, again.StatusCode, tag)
		}
	}
	if _, err := site.db.Exec("UPDATE wp_posts SET post_title = 'Another title' WHERE ID = ?", synthetic.FirstEvent); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool {
		native, _, body := get(paths[0])
		return native && strings.Contains(body, `"title":"Another title"`)
	})
	for end := time.Now().Add(4 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if native, _, _ := get(paths[0]); !native {
			t.Error("an event in use was not requested again in time")
			break
		}
	}
	time.Sleep(3 * time.Second)
	if native, _, _ := get(paths[0]); native {
		t.Error("answered with objects that are older than --fragment-max-age")
	}
	waitFor(t, func() bool { native, _, _ := get(paths[0]); return native })
	r := s.report()
	if r.Fragments == nil || r.Fragments.Held == 0 || r.Fragments.Hits == 0 || r.Fragments.Fills == 0 || r.Fragments.Endings[fragment.EndRows]+r.Fragments.Endings[fragment.EndAge] == 0 {
		t.Errorf("%+v", r.Fragments)
	}
	var text, messages bytes.Buffer
	app.Run(t.Context(), []string{"proof", "--ops-listen", strings.TrimPrefix(s.ops, "http://")}, func(string) string { return "" }, &text, &messages)
	if text := text.String() + messages.String(); !strings.Contains(text, fmt.Sprint("objects as WordPress renders them: ", r.Fragments.Held)) || !strings.Contains(text, "with WordPress's objects") {
		t.Errorf("calbridge proof:\n%s", text)
	}
	if _, metrics := fetch(t, s.ops+"/metrics"); !strings.Contains(metrics, `calbridge_fragment_composed_total{result="hit"}`) {
		t.Error("no metrics of fragments")
	}
	ref.Close()
	time.Sleep(3 * time.Second)
	// WordPress is down after a few failed requests, of which any number may be comparisons.
	waitFor(t, func() bool {
		resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/"+paths[0])
		if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusBadGateway || strings.Contains(body, `"sticky":false`) {
			t.Fatalf("WordPress doesn't answer: %d %s", resp.StatusCode, body)
		}
		return resp.StatusCode == http.StatusOK && strings.Contains(body, `"sticky":"no"`)
	})
}

// TestHiddenByFile checks the program with a WordPress whose plugin hides an event because of a file,
// so that no row changes. Once the event was not compared for --fragment-max-age, WordPress is asked
// before it is shown, although events of its kind are still proven.
func TestHiddenByFile(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, and waits for seconds")
	}
	t.Parallel()
	dsn := wptest.Replicated(t)
	newCoherentSite(t, dsn, 6)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	s := &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", modesNow, "--read-only", "--compat", "safe", "--mode", "auto", "--upstream", ref.URL,
		"--proof-comparisons", "2", "--proof-time", "1s", "--proof-sample", "0", "--proof-without-companion", "--fragment-max-age", "3s"), ref}
	hidden, other := strconv.Itoa(synthetic.FirstEvent), strconv.Itoa(synthetic.FirstEvent+1)
	for _, event := range []string{hidden, other} {
		waitFor(t, func() bool { return s.isNative(event) })
	}
	path := "/events/" + hidden
	ref.hides.Store(&path)
	for end := time.Now().Add(4 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		s.isNative(other)
	}
	if !s.isNative(other) {
		t.Error("an event in use isn't answered natively")
	}
	if resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1"+path); resp.StatusCode != http.StatusNotFound {
		t.Errorf("hidden for longer than --fragment-max-age: %d %s", resp.StatusCode, body)
	}
}

// TestFragmentShare checks that WordPress's objects have an eighth of --cache-size for themselves:
// responses that fill the caches evict none of them, and they take no more.
func TestFragmentShare(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, and fills caches")
	}
	const share, few, many = 2 << 20 / 8, 6, 48 // bytes, events
	dsn := wptest.Replicated(t)
	newCoherentSite(t, dsn, many)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	ref.broken.Store(&[2]string{`"sticky":false`, `"sticky":"` + strings.Repeat("no", 5000) + `"`})
	s := &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", modesNow, "--read-only", "--compat", "safe", "--mode", "auto", "--upstream", ref.URL,
		"--cache-size", "2MiB", "--proof-comparisons", "2", "--proof-time", "1s", "--proof-without-companion"), ref}
	event := func(i int) string { return strconv.Itoa(synthetic.FirstEvent + i) }
	for i := range few {
		waitFor(t, func() bool { return s.isNative(event(i)) })
	}
	before := s.report().Fragments
	for i := range 1000 {
		if resp, body := fetch(t, fmt.Sprintf("%s/wp-json/calendar/events/v1/venues?per_page=%d&page=1&start_date=2%03d-01-01", s.api, 10+i%40, i)); resp.StatusCode != 200 {
			t.Fatalf("%d %s", resp.StatusCode, body)
		}
	}
	if _, metrics := fetch(t, s.ops+"/metrics"); metric(t, metrics, "calbridge_cache_evictions_total") == 0 {
		t.Error("the caches are not full")
	}
	for i := range few {
		if !s.isNative(event(i)) {
			t.Errorf("event %d has lost WordPress's object", i)
		}
	}
	if r := s.report().Fragments; r.Held < before.Held || r.Endings[fragment.EndRoom] > 0 {
		t.Errorf("before %+v, after %+v", before, r)
	}
	for i := range many {
		for range 2 {
			s.isNative(event(i))
		}
	}
	waitFor(t, func() bool { return s.report().Fragments.Endings[fragment.EndRoom] > 0 })
	if r := s.report().Fragments; r.Bytes > share || r.Bytes < share/2 {
		t.Errorf("%d bytes, want nearly %d: %+v", r.Bytes, share, r)
	}
}

// TestViewCounter checks the program with a WordPress whose plugin counts the views of events in their
// metadata: each comparison changes a row of what it compares, so that nothing is proven.
// `calbridge proof` names the metadata and the flag, with which calbridge answers.
func TestViewCounter(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, and proves for a second")
	}
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 3)
	if _, err := site.db.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, 'post_views', '0' FROM wp_posts WHERE post_type = 'tribe_events'"); err != nil {
		t.Fatal(err)
	}
	event := strconv.Itoa(synthetic.FirstEvent)
	for _, c := range []struct {
		name   string
		broken [2]string
	}{
		{"WordPress sends the same", [2]string{"none", "none"}},
		{"a plugin changes a field", [2]string{`"sticky":false`, `"sticky":"no"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
			ref.broken.Store(&c.broken)
			ref.counts.Store(site.db)
			args := []string{"serve", "--clock", modesNow, "--read-only", "--compat", "safe", "--mode", "auto", "--upstream", ref.URL,
				"--proof-comparisons", "2", "--proof-time", "1s", "--proof-without-companion"}
			s := &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, args...), ref}
			const advice = "add --harmless-tables postmeta:post_views"
			waitFor(t, func() bool {
				if s.isNative(event) {
					t.Error("answered natively although each comparison changes the event")
				}
				var text, messages bytes.Buffer
				app.Run(t.Context(), []string{"proof", "--ops-listen", strings.TrimPrefix(s.ops, "http://")}, func(string) string { return "" }, &text, &messages)
				return strings.Contains(text.String(), advice)
			})
			s = &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, append(args, "--harmless-tables", "postmeta:post_views")...), ref}
			waitFor(t, func() bool { return s.isNative(event) })
			if r := s.report(); len(r.Accompanying) > 0 {
				t.Errorf("%v", r.Accompanying)
			}
			if _, err := site.db.Exec("UPDATE wp_postmeta SET meta_value = '77' WHERE meta_key = '_EventCost' AND post_id = ?", event); err != nil {
				t.Fatal(err)
			}
			waitFor(t, func() bool {
				resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/events/"+event)
				return resp.Header.Get("X-Powered-By") == "" && strings.Contains(body, `"values":["77"]`)
			})
		})
	}
}
