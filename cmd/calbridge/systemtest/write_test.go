package systemtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"calbridge/compat/recording"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// writeSite is a recorded site's dump to write into.
type writeSite struct {
	t        *testing.T
	db       wptest.Database
	users    *recording.Site
	snapshot *snapshot
	url      string
	queries  atomic.Int64 // of the last request
}

func newWriteSite(t *testing.T, engine string, change ...func(*rest.Config)) *writeSite {
	t.Helper()
	users, err := recording.LoadSite(testdata.Shared(t, "sites", "mono.json"))
	if err != nil {
		t.Fatal(err)
	}
	s := &writeSite{t: t, db: wptest.SiteCopy(t, engine, "mono"), users: users}
	s.snapshot = takeSnapshot(t, s.db, notCompared...)
	observe := func(c *rest.Config) {
		c.Observe = func(o *api.Observation) {
			s.queries.Store(int64(o.Queries))
			if o.Err != nil {
				t.Logf("%d %s: %v", o.Status, o.Code, o.Err)
			}
		}
	}
	s.url = serveStore(t, openStore(t, s.db), "mono", s.db.Now, nil, append(change, observe)...)
	return s
}

// send sends a request and returns the status and the decoded response.
func (s *writeSite) send(as, method, path, body string) (int, map[string]any) {
	req, err := http.NewRequest(method, s.url+"/wp-json/"+recording.DefaultNamespace+path, bytes.NewBufferString(body))
	if err != nil {
		s.t.Error(err)
		return 0, nil
	}
	req.Header.Set("X-Forwarded-Proto", "https")
	req.Header.Set("Content-Type", "application/json")
	if user, ok := s.users.Users[as]; ok {
		req.SetBasicAuth(as, user.ApplicationPassword)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Error(err)
		return 0, nil
	}
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body)
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		s.t.Errorf("%s %s: %v: %s", method, path, err, data)
	}
	return res.StatusCode, out
}

const testEvent = `"title": "Concurrent", "start_date": "2027-06-05 19:00", "end_date": "2027-06-05 21:00"`

// TestConcurrentWrites lets many clients create the same objects at once. It checks that every
// slug is unique and every count correct.
func TestConcurrentWrites(t *testing.T) {
	const clients, each = 8, 3
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := newWriteSite(t, engine)
			var wg sync.WaitGroup
			var mu sync.Mutex
			slugs := map[any]bool{}
			for range clients {
				wg.Go(func() {
					for range each {
						status, answer := s.send("editor1", "POST", "/events", `{`+testEvent+`, "categories": ["At once"], "tags": ["also at once"]}`)
						mu.Lock()
						if status != http.StatusCreated || slugs[answer["slug"]] {
							t.Errorf("%d, slug %v, %v", status, answer["slug"], answer["message"])
						}
						slugs[answer["slug"]] = true
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			_, list := s.send("editor1", "GET", "/categories?search=At+once&hide_empty=0", "")
			categories, _ := list["categories"].([]any)
			if len(categories) != 1 || categories[0].(map[string]any)["count"] != float64(clients*each) {
				t.Errorf("categories %v", categories)
			}
		})
	}
}

// TestRefusedWritesLeaveNothing checks that a refused write leaves no rows of its earlier
// steps.
func TestRefusedWritesLeaveNothing(t *testing.T) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := newWriteSite(t, engine)
			status, answer := s.send("editor1", "POST", "/events", `{`+testEvent+`, "categories": ["Made in vain"],
				"venue": {"venue": "Made in vain"}, "organizer": {"organizer": "Refused outside of a list"}}`)
			if status != http.StatusBadRequest || answer["code"] != "could-not-create-organizer" {
				t.Errorf("%d %v", status, answer["code"])
			}
			if changes := s.snapshot.Changes(t); len(changes) > 0 {
				t.Errorf("rows are left: %v", changes)
			}
		})
	}
}

// TestReadOnly checks that no request writes anything.
func TestReadOnly(t *testing.T) {
	s := newWriteSite(t, "sqlite", func(c *rest.Config) { c.ReadOnly = true })
	for _, r := range [][3]string{
		{"POST", "/events", `{` + testEvent + `}`}, {"PUT", "/events/45", `{}`}, {"DELETE", "/venues/18", ""},
		{"POST", "/categories", `{"name": "x"}`}, {"DELETE", "/tags/15", ""},
	} {
		if status, answer := s.send("admin", r[0], r[1], r[2]); status != http.StatusServiceUnavailable || answer["code"] != "calbridge_read_only" {
			t.Errorf("%s %s: %d %v", r[0], r[1], status, answer["code"])
		}
	}
	if changes := s.snapshot.Changes(t); len(changes) > 0 {
		t.Errorf("rows have changed: %v", changes)
	}
}

// TestStatementsOfAWrite pins how many statements a typical event costs.
func TestStatementsOfAWrite(t *testing.T) {
	s := newWriteSite(t, "mariadb")
	for _, tt := range []struct {
		method, path, body string
		most               int64
	}{
		{"POST", "/events", `{` + testEvent + `, "description": "x", "categories": [3], "tags": [15], "venue": 18, "organizer": [33, 34], "cost": "5 EUR"}`, 60},
		{"PUT", "/events/45", `{` + testEvent + `}`, 60},
		{"DELETE", "/events/48", "", 45},
		{"POST", "/venues", `{"venue": "New", "city": "Brno"}`, 25},
		{"POST", "/tags", `{"name": "new"}`, 16},
	} {
		if status, answer := s.send("admin", tt.method, tt.path, tt.body); status >= 300 {
			t.Errorf("%s %s: %d %v", tt.method, tt.path, status, answer)
		}
		if n := s.queries.Load(); n > tt.most {
			t.Errorf("%s %s: %d statements, at most %d are allowed", tt.method, tt.path, n, tt.most)
		} else {
			t.Logf("%s %s: %d statements", tt.method, tt.path, n)
		}
	}
}

// TestKnownDifferencesOfWrites checks the numbered differences in each mode.
func TestKnownDifferencesOfWrites(t *testing.T) {
	rows := func(s *writeSite, table, kind string) string {
		c := s.snapshot.Changes(s.t)[table]
		var b strings.Builder
		switch kind {
		case "inserted":
			fmt.Fprint(&b, c.Inserted)
		case "deleted":
			fmt.Fprint(&b, c.Deleted)
		case "updated":
			for _, u := range c.Updated {
				fmt.Fprint(&b, u.Key, u.After)
			}
		}
		return b.String()
	}
	for _, tt := range []struct {
		number, as, method, path, body string
		// exact, safe, fixed: status and, where given, what the rows show.
		want [3]int
		// table, kind and text identify a row; shown lists the modes in which the row has the
		// text.
		table, kind, text string
		shown             [3]bool
	}{
		{number: "S3", as: "contributor1", method: "DELETE", path: "/venues/by-slug/kulturni-dum-svet", want: [3]int{200, 403, 403}},
		{number: "S3", as: "contributor1", method: "PUT", path: "/events/by-slug/keramicka-dilna-pro-deti", body: `{"title": "x"}`, want: [3]int{200, 403, 403}},
		{number: "S4", as: "contributor1", method: "POST", path: "/events", body: `{` + testEvent + `, "author": 1}`, want: [3]int{201, 403, 403}},
		{number: "S5", as: "contributor1", method: "POST", path: "/events", body: `{` + testEvent + `, "categories": ["Unheard of"]}`, want: [3]int{201, 403, 403}},
		{number: "S6", as: "contributor1", method: "POST", path: "/venues", body: `{"venue": "Kulturní dům Svět", "city": "Elsewhere"}`, want: [3]int{201, 201, 201},
			table: "wp_postmeta", kind: "updated", text: "Elsewhere", shown: [3]bool{true, false, false}},
		{number: "F1", as: "editor1", method: "POST", path: "/events", body: `{` + testEvent + `, "tags": ["zdarma"]}`, want: [3]int{201, 201, 201},
			table: "wp_terms", kind: "inserted", text: "name:15", shown: [3]bool{true, true, false}},
		{number: "F2", as: "editor1", method: "DELETE", path: "/organizers/33", want: [3]int{200, 200, 200},
			table: "wp_postmeta", kind: "deleted", text: "meta_value:34", shown: [3]bool{true, true, false}},
		{number: "F3", as: "editor1", method: "PUT", path: "/events/70", body: `{"timezone": "America/New_York"}`, want: [3]int{200, 200, 200},
			table: "wp_tec_events", kind: "updated", text: "America/New_York", shown: [3]bool{false, false, true}},
		{number: "F4", as: "editor1", method: "PUT", path: "/events/70", body: `{"all_day": true}`, want: [3]int{200, 200, 200},
			table: "wp_postmeta", kind: "deleted", text: "_EventDuration", shown: [3]bool{false, false, true}},
	} {
		for i, mode := range []api.Compat{api.Exact, api.Safe, api.Fixed} {
			t.Run(tt.number+"/"+string(mode), func(t *testing.T) {
				s := newWriteSite(t, "sqlite", func(c *rest.Config) { c.Compat = mode })
				status, answer := s.send(tt.as, tt.method, tt.path, tt.body)
				if status != tt.want[i] {
					t.Errorf("%d %v, want %d", status, answer["code"], tt.want[i])
				}
				if status >= 300 {
					if changes := s.snapshot.Changes(t); len(changes) > 0 {
						t.Errorf("rows have changed: %v", changes)
					}
				}
				if tt.table == "" {
					return
				}
				if got := rows(s, tt.table, tt.kind); strings.Contains(got, tt.text) != tt.shown[i] {
					t.Errorf("%s of %s: %s", tt.kind, tt.table, got)
				}
			})
		}
	}
}
