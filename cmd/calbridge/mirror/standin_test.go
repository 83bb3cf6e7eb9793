package mirror

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// standIn is a calendar that serves changes and the stream from a log of its changes.
type standIn struct {
	mu     sync.Mutex
	random *rand.Rand
	events map[int64]string
	log    [][]logged
	epoch  int           // tokens of other epochs are expired
	wake   chan struct{} // closed by the next change
	serial int

	faults   bool // responses fail at random
	noStream bool
	down     bool
}

// logged records a change of an event. If the event was deleted, json is empty.
type logged struct {
	id   int64
	json string
}

// lasting is the number of events that are never deleted. Their ids start at 1.
const lasting = 20

func newStandIn(seed uint64) *standIn {
	s := &standIn{random: rand.New(rand.NewPCG(seed, 1)), events: map[int64]string{}, wake: make(chan struct{})}
	for id := range int64(lasting) {
		s.put(id + 1)
	}
	return s
}

// put creates or changes an event. The caller holds the lock, or is the only one to use s.
func (s *standIn) put(id int64) logged {
	s.serial++
	text, _ := json.Marshal(map[string]any{"id": id, "title": fmt.Sprintf("Fête & Co. %d", s.serial), "slug": fmt.Sprintf("e-%d", id),
		"start_date": fmt.Sprintf("2027-01-%02d 20:00:00", 1+s.random.IntN(28)), "all_day": false, "organizer": []any{}})
	s.events[id] = string(text)
	return logged{id, s.events[id]}
}

// change changes one to three random events.
func (s *standIn) change() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var set []logged
	for range 1 + s.random.IntN(3) {
		if id := 1 + s.random.Int64N(5*lasting); id > lasting && s.random.IntN(2) == 0 {
			delete(s.events, id)
			set = append(set, logged{id, ""})
		} else {
			set = append(set, s.put(id))
		}
	}
	s.log = append(s.log, set)
	close(s.wake)
	s.wake = make(chan struct{})
}

// set changes the state of the calendar.
func (s *standIn) set(how func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	how()
}

// list returns the events that a copy should have.
func (s *standIn) list() map[int64]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.events)
}

// once returns true at random, once in n calls on average.
func (s *standIn) once(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults && s.random.IntN(n) == 0
}

func (s *standIn) token(kind string, at int, after int64) string {
	s.serial++
	return fmt.Sprintf("%s-%d-%d-%d-%d", kind, s.epoch, at, after, s.serial)
}

// parse parses a token; ok is false if the token is expired.
func (s *standIn) parse(token string) (kind string, at int, after int64, ok bool) {
	parts := strings.Split(token, "-")
	if len(parts) != 5 {
		return "", 0, 0, false
	}
	epoch, _ := strconv.Atoi(parts[1])
	at, _ = strconv.Atoi(parts[2])
	after, _ = strconv.ParseInt(parts[3], 10, 64)
	return parts[0], at, after, epoch == s.epoch
}

// ServeHTTP implements http.Handler.
func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	down := false
	s.set(func() { down = s.down })
	switch {
	case down || s.once(30):
		panic(http.ErrAbortHandler)
	case s.once(30):
		w.Header().Set("Retry-After", "0")
		answer(w, http.StatusServiceUnavailable, `{"code":"calbridge_unavailable","message":"Not up to date.","data":{"status":503}}`)
		return
	case s.once(30):
		time.Sleep(10 * time.Millisecond)
	}
	switch r.URL.Path {
	case "/v1/events/changes":
		s.serveChanges(w, r)
	case "/v1/events/stream":
		s.serveStream(w, r)
	default:
		answer(w, http.StatusNotFound, `{"code":"rest_no_route","message":"No route.","data":{"status":404}}`)
	}
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

func (s *standIn) serveChanges(w http.ResponseWriter, r *http.Request) {
	body, ok := s.page(r.URL.Query().Get("page_token") + r.URL.Query().Get("sync_token"))
	switch {
	case !ok:
		answer(w, http.StatusGone, `{"code":"calbridge_sync_token_gone","message":"Begin again.","data":{"status":410,"reason":"site"}}`)
	case s.once(20):
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write([]byte(body[:len(body)/2]))
		panic(http.ErrAbortHandler)
	case s.once(20):
		_, _ = w.Write([]byte(body[:len(body)-1])) // cut off without an error
	default:
		answer(w, http.StatusOK, body)
	}
}

// page returns the response to a token.
func (s *standIn) page(token string) (body string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kind, at, after := "list", len(s.log), int64(0)
	if token != "" {
		if kind, at, after, ok = s.parse(token); !ok {
			return "", false
		}
	}
	var items []string
	room := s.random.IntN(8)
	next := ""
	if kind == "list" {
		for _, id := range slices.Sorted(maps.Keys(s.events)) {
			if id > after && next == "" {
				if len(items) == room {
					next = s.token("list", at, after)
					break
				}
				items, after = append(items, s.events[id]), id
			}
		}
	} else {
		for ; at < len(s.log) && next == ""; at++ {
			for _, l := range s.log[at] {
				items = append(items, s.item(l.id))
				if s.random.IntN(10) == 0 {
					items = append(items, s.item(l.id))
				}
			}
			if len(items) > room && at+1 < len(s.log) {
				next = s.token("more", at+1, 0)
			}
		}
	}
	list := `{"events": [` + strings.Join(items, ", ") + `]`
	if next != "" {
		return list + `, "page_token": "` + next + `"}`, true
	}
	return list + `, "sync_token": "` + s.token("sync", at, 0) + `"}`, true
}

// item returns the current item of an event.
func (s *standIn) item(id int64) string {
	if text := s.events[id]; text != "" {
		return text
	}
	return fmt.Sprintf(`{"id": %d, "deleted": true}`, id)
}

func (s *standIn) serveStream(w http.ResponseWriter, r *http.Request) {
	refuse := false
	s.set(func() { refuse = s.noStream })
	if refuse {
		answer(w, http.StatusMethodNotAllowed, "")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(text string) {
		if s.once(40) {
			_, _ = w.Write([]byte(text[:len(text)/2]))
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write([]byte(text))
		w.(http.Flusher).Flush()
	}
	at, epoch, reset := 0, 0, false
	s.set(func() {
		var ok bool
		if _, at, _, ok = s.parse(r.Header.Get("Last-Event-ID")); !ok {
			at, reset = len(s.log), true
		}
		epoch = s.epoch
	})
	send(":\n\n")
	for {
		text, wake := "", (chan struct{})(nil)
		s.set(func() {
			reset = reset || epoch != s.epoch
			if text, wake = "", s.wake; reset {
				text = "event: reset\ndata: {\"reason\":\"site\"}\n\n"
				at, epoch, reset = len(s.log), s.epoch, false
			} else if at < len(s.log) {
				text = s.messages(at)
				at++
			}
		})
		if text != "" {
			send(text)
			continue
		}
		select {
		case <-wake:
		case <-time.After(50 * time.Millisecond):
			send(": nothing new\n\n")
		case <-r.Context().Done():
			return
		}
	}
}

// messages returns the messages of one change. The last one has the id.
func (s *standIn) messages(at int) string {
	var b strings.Builder
	end := []string{"\n", "\r\n", "\r"}[s.random.IntN(3)]
	for i, l := range s.log[at] {
		name, data := "updated", l.json
		if l.json == "" {
			name, data = "deleted", fmt.Sprintf(`{"id":%d,"deleted":true}`, l.id)
		} else if s.random.IntN(2) == 0 {
			name = "created"
		}
		b.WriteString("event: " + name + end + "data: " + data + end)
		if i == len(s.log[at])-1 {
			b.WriteString("id: " + s.token("sync", at+1, 0) + end)
		}
		b.WriteString(end)
	}
	return b.String()
}
