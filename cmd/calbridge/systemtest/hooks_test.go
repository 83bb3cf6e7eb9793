package systemtest

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/rest/proof"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// hookCase is a hook of WordPress with a plugin that uses it.
type hookCase struct {
	name   string
	plugin func(*hookSite) *standInPlugin
	// rows reports that responses differ inside of objects alone, and by rows, so that calbridge must
	// come to answer nearly everything itself.
	rows bool
	// closes reports that the plugin closes events by their metadata.
	closes bool
	short  bool // also without CALBRIDGE_HOOKS
}

// hookCases returns the 14 hooks of which recordings exist. tribe_rest_event_data is there twice.
func hookCases() []hookCase {
	inside := func(name string, change func(*hookSite, *http.Request, []byte) []byte) hookCase {
		return hookCase{name: name, rows: true, plugin: func(s *hookSite) *standInPlugin {
			return &standInPlugin{response: func(r *http.Request, status int, body []byte) (int, []byte) { return status, change(s, r, body) }}
		}}
	}
	replaced := func(name, pattern, by string) hookCase {
		of := regexp.MustCompile(pattern)
		return inside(name, func(_ *hookSite, _ *http.Request, body []byte) []byte { return of.ReplaceAll(body, []byte(by)) })
	}
	const text = `(?:[^"\\]|\\.)*`
	cases := []hookCase{
		inside("tribe_rest_event_data: a field", func(s *hookSite, _ *http.Request, body []byte) []byte {
			return s.withField(body, "events", "dress_code")
		}),
		{name: "tribe_rest_event_data: closed events", rows: true, closes: true, plugin: (*hookSite).guard},
		inside("tribe_rest_events_archive_data", func(s *hookSite, r *http.Request, body []byte) []byte {
			if !strings.HasSuffix(r.URL.Path, "/events") {
				return body
			}
			return s.withField(body, "events", "button_text")
		}),
		inside("tribe_rest_venue_data", func(s *hookSite, _ *http.Request, body []byte) []byte { return s.withField(body, "venues", "capacity") }),
		inside("tribe_rest_organizer_data", func(s *hookSite, _ *http.Request, body []byte) []byte {
			return s.withField(body, "organizers", "since")
		}),
		replaced("the_content", `("description":"`+text+`)"`, `$1<p class=\"share\">Share this<\/p>"`),
		replaced("the_title", `("title":"`+text+`)"`, `$1 \u2605"`),
		replaced("run_wptexturize", `&#82\d\d;`, `-`),
		replaced("upload_dir", `\\/wp-content\\/uploads`, `\/media`),
		replaced("wp_get_attachment_url", `("image":\{"url":"https?:\\/\\/)[^\\]*`, `${1}cdn.example`),
		replaced("post_type_link", `("url":"https?:`+text+`\\/)"`, `$1?utm=x"`),
		replaced("tribe_get_cost", `("cost":"`+text+`)"`, `$1 EUR"`),
		{name: "tribe_events_archive_get_args", plugin: func(*hookSite) *standInPlugin {
			return &standInPlugin{request: func(r *http.Request) { addArgument(r, "/events", "start_date", "2027-01-01") }}
		}},
		{name: "pre_get_posts", plugin: (*hookSite).hider},
		{name: "get_terms_defaults", plugin: func(*hookSite) *standInPlugin {
			return &standInPlugin{request: func(r *http.Request) {
				addArgument(r, "/categories", "orderby", "slug")
				addArgument(r, "/tags", "order", "desc")
			}}
		}},
	}
	for i := range cases {
		cases[i].short = i < 2 || cases[i].name == "tribe_rest_venue_data"
	}
	return cases
}

// addArgument adds an argument to requests for a list that lack it.
func addArgument(r *http.Request, path, name, value string) {
	if q := r.URL.Query(); strings.HasSuffix(r.URL.Path, path) && !q.Has(name) {
		q.Set(name, value)
		r.URL.RawQuery = q.Encode()
		r.RequestURI = r.URL.RequestURI()
	}
}

// TestHooks checks calbridge in front of a WordPress with a plugin on each of the 14 recorded hooks,
// while rows change as SQL and as PHP change them: each native response has the bytes that WordPress
// would send, and none shows a closed event. Of the requests whose response has no closed event, at
// least 95 % must be native for hooks whose output depends on rows.
//
//	CALBRIDGE_HOOKS=20000 go test -timeout 3h -run 'TestHooks$' -v ./cmd/calbridge/systemtest
//
// sends 20,000 requests for each hook, with a change after every 80 on average, and prints a row for each.
func TestHooks(t *testing.T) {
	requests, _ := strconv.Atoi(os.Getenv("CALBRIDGE_HOOKS"))
	long := requests > 0
	if !long {
		if testing.Short() {
			t.Skip("starts processes, and proves for seconds")
		}
		requests = 400
	}
	const events, every = 60, 80
	dsn := wptest.Replicated(t)
	db := newPlainSite(t, dsn, events)
	if _, err := db.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, '_hook', CONCAT('value of ', ID) FROM wp_posts WHERE post_type LIKE 'tribe%'"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE wp_posts SET post_content = CONCAT('<p>It''s number ', ID, '</p>') WHERE post_type = 'tribe_events'"); err != nil {
		t.Fatal(err)
	}
	for _, c := range hookCases() {
		if !long && !c.short {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
			s := &hookSite{t: t, hookCase: c, ref: ref, db: db, random: rand.New(rand.NewPCG(1, 2)), routes: map[string]string{}}
			ref.plugin.Store(c.plugin(s))
			s.proven = &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", modesNow, "--read-only", "--cache", "strict", "--mode", "auto", "--upstream", ref.URL,
				"--proof-comparisons", "3", "--proof-time", "1s", "--proof-without-companion"), ref}
			s.findTargets()
			changed := 0
			for _, target := range s.targets {
				if s.wants(target).changed {
					changed++
				}
			}
			begin := time.Now()
			others := s.prove()
			took := time.Since(begin)
			before, asked := s.proven.report().Answers, ref.asked.Load()
			begin = time.Now()
			s.load(requests, every)
			if len(others) > 0 {
				t.Logf("WordPress answers %v", others)
			}
			share := 100 * float64(s.native) / float64(max(s.open, 1))
			after := s.proven.report()
			var why []string
			for _, reason := range slices.Sorted(maps.Keys(after.Answers)) {
				if n := after.Answers[reason] - before[reason]; reason != proof.None && n > 0 {
					why = append(why, fmt.Sprint(reason, " ", n))
				}
			}
			t.Logf("%-38s changes %d of %d; proven in %4.1f s; %d requests (%d without closed events), %d writes in %.0f s; native %.1f %%; %d closed events shown, %d wrong; %d requests to WordPress; it answered for: %s; fragments ended: %v",
				c.name, changed, len(s.targets), took.Seconds(), s.asked, s.open, s.writes, time.Since(begin).Seconds(), share, s.shown, s.wrong, ref.asked.Load()-asked, strings.Join(why, ", "), after.Fragments.Endings)
			if changed == 0 && !c.closes {
				t.Error("the plugin changes nothing")
			}
			if s.shown > 0 || s.wrong > 0 {
				t.Errorf("%d closed events shown, %d wrong answers: %s", s.shown, s.wrong, s.example)
			}
			if least := map[bool]float64{true: 95, false: 80}[long]; c.rows && share < least {
				t.Errorf("%.1f %% native, want %.0f %%", share, least)
			}
		})
	}
}

// hookSite is a site with a plugin, and calbridge in front of it.
type hookSite struct {
	hookCase
	t       *testing.T
	ref     *reference
	db      *sql.DB
	proven  *provenSite
	random  *rand.Rand
	targets []string
	routes  map[string]string // of events, venues and organizers
	serial  int
	// expected has WordPress's responses since the last write.
	expected map[string]expected

	asked, open, native, writes, shown, wrong int
	example                                   string
}

// expected is a response of WordPress. closed reports that it lacks an event that it would have without
// the plugin.
type expected struct {
	status int
	body   string
	// changed reports that the plugin changes the response.
	changed, closed bool
}

// findTargets sets the requests: each event, venue and organizer, and lists.
func (s *hookSite) findTargets() {
	s.targets = []string{"/events", "/events?per_page=5&page=2", "/events?start_date=2026-11-01&end_date=2027-03-01&per_page=20", "/venues", "/categories", "/tags"}
	rows, err := s.db.Query("SELECT ID, post_type FROM wp_posts WHERE post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer') AND post_status = 'publish' ORDER BY ID")
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var kind string
		if err := rows.Scan(&id, &kind); err != nil {
			s.t.Fatal(err)
		}
		route := map[string]string{"tribe_events": "events", "tribe_venue": "venues", "tribe_organizer": "organizers"}[kind]
		s.targets = append(s.targets, fmt.Sprint("/", route, "/", id))
		s.routes[strconv.FormatInt(id, 10)] = route
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
}

// metas returns the metadata of posts with a key.
func (s *hookSite) metas(key string) map[string]string {
	found := map[string]string{}
	rows, err := s.db.Query("SELECT post_id, meta_value FROM wp_postmeta WHERE meta_key = ?", key)
	if err != nil {
		s.t.Error(err)
		return found
	}
	defer rows.Close()
	for rows.Next() {
		var id, value string
		if err := rows.Scan(&id, &value); err != nil {
			s.t.Error(err)
		}
		found[id] = value
	}
	return found
}

// withField adds a field with a metadata value to all objects of a route, nested ones too.
func (s *hookSite) withField(body []byte, route, field string) []byte {
	values := s.metas("_hook")
	of := regexp.MustCompile(`"global_id":"[^"]*\?id=(\d+)"`)
	return of.ReplaceAllFunc(body, func(found []byte) []byte {
		id := of.FindSubmatch(found)[1]
		if s.routes[string(id)] != route {
			return found
		}
		return fmt.Appendf(nil, `%s,"%s":"%s"`, found, field, values[string(id)])
	})
}

// guard closes the events that have metadata.
func (s *hookSite) guard() *standInPlugin {
	return &standInPlugin{response: func(r *http.Request, status int, body []byte) (int, []byte) {
		closed := s.metas("_members_only")
		if id := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]; closed[id] != "" && status == http.StatusOK {
			return http.StatusUnauthorized, []byte(`{"code":"rest_forbidden","message":"For members.","data":{"status":401}}`)
		}
		return status, without(body, func(id string) bool { return closed[id] != "" })
	}}
}

// hider leaves each tenth event out of lists.
func (s *hookSite) hider() *standInPlugin {
	return &standInPlugin{response: func(r *http.Request, status int, body []byte) (int, []byte) {
		return status, without(body, func(id string) bool { return strings.HasSuffix(id, "0") })
	}}
}

// without returns a list without some of its events, as it is otherwise.
func without(body []byte, drop func(id string) bool) []byte {
	var list struct{ Events []json.RawMessage }
	if json.Unmarshal(body, &list) != nil || len(list.Events) == 0 {
		return body
	}
	var kept [][]byte
	for _, raw := range list.Events {
		var event struct{ ID int64 }
		if json.Unmarshal(raw, &event) != nil || !drop(strconv.FormatInt(event.ID, 10)) {
			kept = append(kept, raw)
		}
	}
	first, last := list.Events[0], list.Events[len(list.Events)-1]
	begin, end := bytes.Index(body, first), bytes.LastIndex(body, last)+len(last)
	return slices.Concat(body[:begin], bytes.Join(kept, []byte(",")), body[end:])
}

// get sends a request to calbridge. It reports whether calbridge answered itself.
func (s *hookSite) get(target string) (native bool, status int, body string) {
	s.t.Helper()
	resp, err := http.Get(s.proven.api + apiRoot + target)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.Header.Get("X-Powered-By") == "", resp.StatusCode, string(text)
}

// wants returns what WordPress sends.
func (s *hookSite) wants(target string) expected {
	if e, ok := s.expected[target]; ok {
		return e
	}
	respond := func(plugin *standInPlugin) (int, []byte) {
		r := httptest.NewRequest(http.MethodGet, s.proven.api+apiRoot+target, nil)
		r.RequestURI = apiRoot + target
		if plugin.request != nil {
			plugin.request(r)
		}
		rec := httptest.NewRecorder()
		s.ref.api.ServeHTTP(rec, r)
		if plugin.response == nil {
			return rec.Code, rec.Body.Bytes()
		}
		return plugin.response(r, rec.Code, rec.Body.Bytes())
	}
	status, body := respond(s.ref.plugin.Load())
	_, plain := respond(&standInPlugin{})
	e := expected{status: status, body: string(body), changed: string(plain) != string(body)}
	e.closed = e.changed && (s.closes || s.name == "pre_get_posts")
	if s.expected == nil {
		s.expected = map[string]expected{}
	}
	s.expected[target] = e
	return e
}

// prove sends requests until calbridge answers all of them itself that it can, or for a while. It returns
// those that it doesn't.
func (s *hookSite) prove() (others []string) {
	last := time.Now()
	for left, least := len(s.targets), len(s.targets)+1; left > 0 && time.Since(last) < 10*time.Second; {
		others = nil
		for _, target := range s.targets {
			if native, _, _ := s.get(target); !native {
				others = append(others, target)
			}
		}
		if left = len(others); left < least {
			least, last = left, time.Now()
		}
	}
	return others
}

// load sends requests, with a write after every so many on average.
func (s *hookSite) load(requests, every int) {
	for range requests {
		if s.random.IntN(every) == 0 {
			s.write()
		}
		target := s.targets[s.random.IntN(len(s.targets))]
		if s.random.IntN(4) == 0 {
			target = s.targets[s.random.IntN(6)] // a list
		}
		want := s.wants(target)
		native, status, body := s.get(target)
		s.asked++
		if !want.closed {
			s.open++
		}
		switch {
		case !native:
		case status == want.status && body == want.body:
			if !want.closed {
				s.native++
			}
		case want.closed:
			s.shown++
			s.example = target
		default:
			s.wrong++
			s.example = fmt.Sprintf("%s: %d %.300s, want %d %.300s", target, status, body, want.status, want.body)
		}
	}
}

// write changes an event as SQL does, in one statement, or as PHP does, in several.
func (s *hookSite) write() {
	id := synthetic.FirstEvent + s.random.IntN(60)
	s.writes++
	s.serial++
	clear(s.expected)
	exec := func(statement string, args ...any) {
		s.t.Helper()
		if _, err := s.db.Exec(statement, args...); err != nil {
			s.t.Fatal(err)
		}
	}
	switch what := s.random.IntN(4); {
	case what == 0 && s.closes:
		exec("DELETE FROM wp_postmeta WHERE meta_key = '_members_only' AND post_id = ?", id)
		if s.random.IntN(3) == 0 {
			exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_members_only', '1')", id)
		}
	case what == 1:
		exec("UPDATE wp_postmeta SET meta_value = ? WHERE meta_key = '_hook' AND post_id = ?", fmt.Sprint("value ", s.serial), id)
	case what == 2:
		exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", fmt.Sprint("By SQL ", s.serial), id)
	default: // as wp_update_post and update_post_meta
		exec("UPDATE wp_posts SET post_title = ?, post_content = ?, post_modified = ?, post_modified_gmt = ? WHERE ID = ?", fmt.Sprint("By PHP ", s.serial), fmt.Sprintf("<p>It's number %d</p>", s.serial),
			synthetic.Now.Add(time.Duration(s.serial)*time.Second).Format(time.DateTime), synthetic.Now.Add(time.Duration(s.serial)*time.Second).Format(time.DateTime), id)
		exec("UPDATE wp_postmeta SET meta_value = ? WHERE meta_key = '_EventCost' AND post_id = ?", s.serial%100, id)
		exec("UPDATE wp_postmeta SET meta_value = ? WHERE meta_key = '_hook' AND post_id = ?", fmt.Sprint("value ", s.serial), id)
	}
}
