package site

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

// standIn stands in for a WordPress with a plugin. It responds as calbridge does, and then a
// hook changes the response.
type standIn struct {
	t    testing.TB
	site http.Handler
	db   *sql.DB
	hook *hook
	on   atomic.Bool
	// variant is another version of the plugin's code.
	variant atomic.Bool
	away    atomic.Bool
	asked   atomic.Int64

	mu     sync.Mutex
	closed map[int64]bool // events that the plugin has closed
}

// hook describes what a plugin does.
type hook struct {
	name string
	// apply changes a response. member reports that the request has the cookie of a member.
	apply func(s *standIn, a *hooked)
	// closes reports whether an anonymous visitor must not see a response that shows an event.
	closes func(s *standIn, single bool, id int64) bool
	// guard stores whether an event is closed.
	guard func(s *standIn, id int64, closed bool)
	// pageCap is the maximum number of entries per page; 0 means the default.
	pageCap int64
	// learned reports that calbridge learns to respond as the plugin does.
	learned bool
	// composed reports that calbridge answers with WordPress's objects. volatile reports that they
	// vary by themselves, so that it never does.
	composed, volatile bool
}

// hooked is a response that passes through a hook.
type hooked struct {
	r      *http.Request
	status int
	header http.Header
	body   []byte
}

// events calls change with each event of the response. It encodes the response again, as PHP does,
// if change returns true for any event.
func (a *hooked) events(change func(event *php.Array) bool) {
	decoded, err := phpjson.Reparse(a.body)
	body, isObject := decoded.(*php.Array)
	if a.status != http.StatusOK || err != nil || !isObject {
		return
	}
	changed := false
	if _, isEvent := body.Lookup("start_date"); isEvent {
		changed = change(body)
	}
	for _, e := range body.Array("events").Values() {
		if change(e.(*php.Array)) {
			changed = true
		}
	}
	if changed {
		a.body = phpjson.Append(nil, body)
	}
}

// exportedEvents finds the events of an export, with their ids and descriptions.
var exportedEvents = regexp.MustCompile(`(?s)(BEGIN:VEVENT\r\n.*?\r\nUID:)(\d+)(-.*?\r\nDESCRIPTION:)([^\r]*)(\r\n.*?END:VEVENT)`)

// described replaces the description of each event of an export. Tags are stripped, as in the reference.
func (a *hooked) described(text func(id int64, was string) string) {
	if a.status != http.StatusOK || !bytes.HasPrefix(a.body, []byte("BEGIN:VCALENDAR")) {
		return
	}
	a.body = exportedEvents.ReplaceAllFunc(a.body, func(event []byte) []byte {
		part := exportedEvents.FindSubmatch(event)
		id, _ := strconv.ParseInt(string(part[2]), 10, 64)
		stripped := regexp.MustCompile("<[^>]*>").ReplaceAllString(text(id, string(part[4])), "")
		return slices.Concat(part[1], part[2], part[3], []byte(strings.ReplaceAll(stripped, ",", `\,`)), part[5])
	})
}

// leaveOut removes closed events from a list or an export, and refuses a closed single event.
func (a *hooked) leaveOut(s *standIn, status int, lists bool) {
	if lists && bytes.HasPrefix(a.body, []byte("BEGIN:VCALENDAR")) {
		a.body = exportedEvents.ReplaceAllFunc(a.body, func(event []byte) []byte {
			if _, ids := shows(slices.Concat([]byte("BEGIN:VCALENDAR"), event)); s.isClosed(ids[0]) {
				return nil
			}
			return event
		})
		a.body = bytes.ReplaceAll(a.body, []byte("\r\n\r\n"), []byte("\r\n"))
		return
	}
	var body map[string]any
	if a.status != http.StatusOK || json.Unmarshal(a.body, &body) != nil {
		return
	}
	id := func(event any) int64 { n, _ := event.(map[string]any)["id"].(float64); return int64(n) }
	if _, isEvent := body["start_date"]; isEvent && s.isClosed(id(body)) {
		a.refuse(status)
		return
	}
	list, _ := body["events"].([]any)
	kept := slices.DeleteFunc(slices.Clone(list), func(e any) bool { return s.isClosed(id(e)) })
	if lists && len(kept) < len(list) {
		body["events"] = kept
		a.body, _ = json.Marshal(body)
	}
}

func (a *hooked) refuse(status int) {
	a.status, a.body = status, []byte(`{"code":"members_only","message":"For members."}`)
}

func (s *standIn) isClosed(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed[id]
}

func (s *standIn) setClosed(id int64, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed[id] = closed
}

func (s *standIn) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Exec(statement, args...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

// byMeta stores closed events in post metadata, and byTable in a table of the plugin.
func byMeta(s *standIn, id int64, closed bool) {
	s.exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = '_members_only'", id)
	if closed {
		s.exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_members_only', '1')", id)
	}
}

func byTable(s *standIn, id int64, closed bool) {
	if closed {
		s.exec("REPLACE INTO wp_members_guards (event_id) VALUES (?)", id)
	} else {
		s.exec("DELETE FROM wp_members_guards WHERE event_id = ?", id)
	}
}

func everyThird(event *php.Array) bool { return php.ToInt(event.At("id"))%3 == 0 }

// hooks returns the plugins of the test.
func hooks() []*hook {
	single := func(s *standIn, single bool, id int64) bool { return single && s.isClosed(id) }
	each := func(s *standIn, _ bool, id int64) bool { return s.isClosed(id) }
	return []*hook{
		{name: "none"},
		{name: "field from meta", apply: func(s *standIn, a *hooked) {
			a.events(func(e *php.Array) bool {
				if everyThird(e) {
					e.SetString("dress_code", fmt.Sprint("black", s.variant.Load()))
				}
				return everyThird(e)
			})
		}, composed: true},
		{name: "field from another table", apply: func(s *standIn, a *hooked) {
			var points int64
			_ = s.db.QueryRow("SELECT COUNT(*) FROM wp_members_guards").Scan(&points)
			a.events(func(e *php.Array) bool { e.SetString("points", points); return true })
		}, composed: true},
		{name: "field from the clock", apply: func(_ *standIn, a *hooked) {
			a.events(func(e *php.Array) bool { e.SetString("asked", time.Now().UnixNano()); return true })
		}, volatile: true},
		{name: "field at random", apply: func(_ *standIn, a *hooked) {
			if rand.IntN(3) == 0 {
				a.events(func(e *php.Array) bool { e.SetString("advert", rand.Int64N(1000)); return true })
			}
		}, volatile: true},
		{name: "field of the user", apply: func(_ *standIn, a *hooked) {
			if c, err := a.r.Cookie("member"); err == nil {
				a.events(func(e *php.Array) bool { e.SetString("greeting", c.Value); return true })
			}
		}},
		{name: "events hidden by meta", apply: func(s *standIn, a *hooked) { a.leaveOut(s, http.StatusNotFound, true) }, closes: each, guard: byMeta},
		{name: "events hidden by another table", apply: func(s *standIn, a *hooked) { a.leaveOut(s, http.StatusNotFound, true) }, closes: each, guard: byTable},
		{name: "events guarded by another table", apply: func(s *standIn, a *hooked) { a.leaveOut(s, http.StatusUnauthorized, false) }, closes: single, guard: byTable},
		{name: "rewritten addresses", apply: func(_ *standIn, a *hooked) {
			a.body = bytes.ReplaceAll(a.body, []byte(`wp-content\/uploads`), []byte(`cdn`))
		}, composed: true},
		{name: "larger pages", pageCap: 100, learned: true},
		{name: "headers that vary", learned: true, apply: func(_ *standIn, a *hooked) {
			a.header.Set("X-Request-Id", strconv.FormatUint(rand.Uint64(), 36))
			a.header.Set("X-Generated-At", time.Now().Format(time.RFC3339Nano))
		}},
		{name: "more headers", learned: true, apply: func(_ *standIn, a *hooked) { a.header.Set("X-Shop", "open") }},
		{name: "closed to strangers", apply: func(_ *standIn, a *hooked) { a.refuse(http.StatusUnauthorized) },
			closes: func(*standIn, bool, int64) bool { return true }},
	}
}

// ServeHTTP implements http.Handler.
func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	if s.away.Load() {
		panic(http.ErrAbortHandler)
	}
	a := s.answer(r)
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}

// pageCap returns the maximum number of entries per page.
func (s *standIn) pageCap() int64 {
	if s.on.Load() && s.hook.pageCap > 0 {
		return s.hook.pageCap
	}
	return 50
}

// answer returns WordPress's current response.
func (s *standIn) answer(r *http.Request) *hooked {
	inner := r.Clone(r.Context())
	inner.RequestURI = r.RequestURI
	for _, name := range []string{"Accept-Encoding", "If-None-Match", "X-Calbridge-Forwarded", "Cookie"} {
		inner.Header.Del(name)
	}
	rec := httptest.NewRecorder()
	s.site.ServeHTTP(rec, inner)
	a := &hooked{r: r, status: rec.Code, header: rec.Header(), body: rec.Body.Bytes()}
	if s.on.Load() && s.hook.apply != nil {
		s.hook.apply(s, a)
	}
	return a
}

// shows returns the events in a response, and whether the response is a single event.
func shows(body []byte) (single bool, ids []int64) {
	if bytes.HasPrefix(body, []byte("BEGIN:VCALENDAR")) {
		for _, part := range exportedEvents.FindAllSubmatch(body, -1) {
			id, _ := strconv.ParseInt(string(part[2]), 10, 64)
			ids = append(ids, id)
		}
		return false, ids
	}
	var answer struct {
		ID     int64
		Start  string `json:"start_date"`
		Events []struct{ ID int64 }
	}
	if json.Unmarshal(body, &answer) != nil {
		return false, nil
	}
	if answer.Start != "" {
		return true, []int64{answer.ID}
	}
	for _, e := range answer.Events {
		ids = append(ids, e.ID)
	}
	return false, ids
}
