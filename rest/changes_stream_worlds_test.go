package rest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/wpstore"
)

// TestHiddenChangesDoNotShowInStreams makes the same changes as TestHiddenChangesDoNotShow for visitors of the stream:
// both worlds send the same messages, with ids of the same length, to clients that follow and to
// clients that resume.
func TestHiddenChangesDoNotShowInStreams(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 2
	}
	seeds = envNumber(t, "CALBRIDGE_CHANGES_WORLDS", seeds)
	first := envNumber(t, "CALBRIDGE_CHANGES_SEED", 1)
	total := map[string]int{}
	for seed := first; seed < first+seeds; seed++ {
		if differ := streamBothWorlds(t, uint64(seed), total); differ != "" {
			t.Fatalf("seed %d: %s", seed, differ)
		}
	}
	t.Log(total)
	if seeds < 12 {
		return // some of them may have none of a kind
	}
	for _, kind := range []string{"created", "updated", "deleted", "reset", "follow", "resume", "hidden"} {
		if total[kind] == 0 {
			t.Errorf("nothing was %s: %v", kind, total)
		}
	}
}

// lastEvent is an event that everybody can read. It changes with the others, and is the last
// of its page: a client that has its message has all.
const lastEvent = 119

// streamedWorld is a world with a client of its stream.
type streamedWorld struct {
	*journaledWorld
	base   string
	last   string // id
	blocks *bufio.Scanner
	end    context.CancelFunc // of the connection; nil without
	put    func(round int)    // changes lastEvent
}

func newStreamedWorld(t *testing.T, posts []*worldPost) *streamedWorld {
	t.Helper()
	last := &worldPost{
		id: lastEvent, kind: wpstore.EventType, status: "publish", author: 1, slug: "last", content: "last", featured: true, start: testNow.Add(20 * 24 * time.Hour),
		terms: []int64{31, 32, 33, 34, 41, 42, 43}, organizerIDs: []int64{301, 302, 303, 304, 305, 306, 307, 308, 309, 310}, venueIDs: []int64{201, 202, 203, 204, 205, 206, 207, 208, 209, 210},
	}
	last.date, last.modified = testNow.Format(api.MySQLTime), testNow.Format(api.MySQLTime)
	last.title = strings.Join(worldWords, " ")
	w := &streamedWorld{journaledWorld: newJournaledWorld(t, append(posts, last))}
	w.held = true
	w.cfg.Observe = nil // requests run at the same time
	w.srv.Close()
	w.srv = New(w.DB, w.cfg)
	w.put = func(round int) {
		p := *last
		p.title = fmt.Sprint(last.title, " ", round)
		w.journaledWorld.put(len(w.posts)-1, &p)
	}
	server := httptest.NewServer(w.srv)
	t.Cleanup(server.Close)
	t.Cleanup(w.srv.Streams().End)
	t.Cleanup(w.leave)
	w.base = server.URL + testBase
	return w
}

func (w *streamedWorld) leave() {
	if w.end != nil {
		w.end()
		w.end = nil
	}
}

// streamTimes are what differs between two connections by chance.
var streamTimes = regexp.MustCompile(`(?m)^retry: \d{4}$`)

// connect opens the stream where the client is. It returns the status and the header.
func (w *streamedWorld) connect(args url.Values) string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 2*time.Minute)
	w.end = cancel
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base+"/events/stream?"+args.Encode(), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Host = "village.example"
	r.Header.Set("X-Forwarded-Proto", "https")
	if w.last != "" {
		r.Header.Set("Last-Event-ID", w.last)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	context.AfterFunc(ctx, func() { _ = resp.Body.Close() })
	w.blocks = bufio.NewScanner(resp.Body)
	w.blocks.Buffer(nil, 4<<20)
	w.blocks.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.Index(data, []byte("\n\n")); i >= 0 {
			return i + 2, data[:i], nil
		}
		return 0, nil, nil
	})
	resp.Header.Del("Date")
	return fmt.Sprint(resp.StatusCode, resp.Header)
}

// read reads blocks up to the message of lastEvent, a reset, or the first id for first, which comes
// in a block after that of the retry time. Ids are their lengths.
func (w *streamedWorld) read(first bool, total map[string]int) (out []string) {
	for w.blocks.Scan() {
		block := w.blocks.Text()
		if strings.HasPrefix(block, ":") {
			continue
		}
		id, message := "", []string{}
		kind, data := "", ""
		for line := range strings.SplitSeq(streamTimes.ReplaceAllString(block, "retry: some"), "\n") {
			name, value, _ := strings.Cut(line, ": ")
			switch name {
			case "id":
				id, line = value, fmt.Sprint("id of ", len(value))
			case "event":
				kind = value
			case "data":
				data = value
			}
			message = append(message, line)
		}
		if id != "" {
			w.last = id
		}
		if kind == "" && id != "" && !first {
			continue // a heartbeat that has a position
		}
		if kind != "" {
			total[kind]++
		}
		out = append(out, strings.Join(message, "\n"))
		if first && id != "" || kind == "reset" || strings.HasPrefix(data, fmt.Sprintf(`{"id":%d,`, lastEvent)) {
			return out
		}
	}
	w.t.Errorf("the stream has ended without a message about the last change: %v, after %q", w.blocks.Err(), out)
	return out
}

// shows reports whether a list of a world has lastEvent, and whether its arguments are taken.
func (w *streamedWorld) shows(args url.Values) bool {
	a := w.do(ask{target: "events/changes?per_page=50&" + args.Encode()})
	return a.status == http.StatusOK && strings.Contains(a.body, fmt.Sprintf(`{"id":%d,`, lastEvent))
}

func streamBothWorlds(t *testing.T, seed uint64, total map[string]int) string {
	t.Helper()
	m := newMaker(seed)
	c := worldClients[0]
	posts := m.posts()
	m.file(posts)
	other := make([]*worldPost, len(posts))
	for i, p := range posts {
		other[i] = m.unlike(p, &c)
	}
	m.file(other)
	worlds := []*streamedWorld{newStreamedWorld(t, posts), newStreamedWorld(t, other)}
	changing := []*journaledWorld{worlds[0].journaledWorld, worlds[1].journaledWorld}
	args := url.Values{}
	shown := func() bool {
		one, two := worlds[0].shows(args), worlds[1].shows(args) // both are asked: what is noted then bears on what is sent
		return one && two
	}
	for attempt := 0; attempt == 0 || !shown(); attempt++ {
		args = url.Values{}
		if attempt > 20 {
			break // the list of what is to come
		}
		m.listArgs(&c, api.Events, func(percent int, name string, value any) {
			if name == "include" {
				value = fmt.Sprint(value, ",", lastEvent)
			}
			if m.chance(percent) && name != "page" && name != "per_page" {
				args.Set(name, fmt.Sprint(value))
			}
		})
	}
	differ := func(what string, of func(w *streamedWorld) []string) string {
		one, two := of(worlds[0]), of(worlds[1])
		if diff := cmp.Diff(one, two); diff != "" {
			return fmt.Sprintf("%s: %s: %s", args.Encode(), what, diff)
		}
		return ""
	}
	connect := func(w *streamedWorld) []string { return append([]string{w.connect(args)}, w.read(true, total)...) }
	if d := differ("the beginning", connect); d != "" {
		return d
	}
	for round := range 25 {
		follows := m.chance(50)
		if follows {
			total["follow"]++
		} else {
			total["resume"]++
			for _, w := range worlds {
				w.leave()
			}
		}
		if m.chance(30) {
			m.changeHidden(changing, &c, total)
		} else {
			for range m.IntN(4) {
				m.changeWorlds(changing, &c)
			}
		}
		for _, w := range worlds {
			w.put(round)
			w.report()
		}
		if !shown() { // a filter's venue has gone, for example: nothing says any more when all has come
			break
		}
		if d := differ("what changes", func(w *streamedWorld) (out []string) {
			if !follows {
				out = append(out, w.connect(args))
				first := w.read(true, total)
				if out = append(out, first...); slices.ContainsFunc(first, func(m string) bool { return strings.HasPrefix(m, "event: reset") }) {
					return out
				}
			}
			return append(out, w.read(false, total)...)
		}); d != "" {
			return fmt.Sprintf("round %d, follows: %t: %s", round, follows, d)
		}
	}
	for _, w := range worlds {
		w.leave()
	}
	return ""
}

// changeHidden changes a post that a client can't read in one world, if there is one.
func (m maker) changeHidden(worlds []*journaledWorld, c *client, total map[string]int) {
	var hidden []int
	for i, p := range worlds[0].posts {
		if c.mustNotKnow(p) {
			hidden = append(hidden, i)
		}
	}
	if len(hidden) > 0 {
		i, w := hidden[m.IntN(len(hidden))], worlds[m.IntN(2)]
		w.put(i, m.unlike(w.posts[i], c))
		total["hidden"]++
	}
}
