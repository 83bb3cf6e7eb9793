package union

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const root = "https://sit.example/wp-json/"

// A fakeEvent is an event of a fake site.
type fakeEvent struct {
	id       int64
	start    time.Time // in UTC
	offset   time.Duration
	title    string
	category string
	tag      string
	featured bool
}

func (e fakeEvent) local() time.Time { return e.start.Add(e.offset) }

func (e fakeEvent) json() string {
	return fmt.Sprintf(`{"id":%d,"title":"%s <b>\u00e9<\/b>","start_date":"%s","utc_start_date":"%s"}`,
		e.id, e.title, e.local().Format(time.DateTime), e.start.Format(time.DateTime))
}

// A fakeSite is a site's list of events in memory. The dates of a query mean local time.
type fakeSite struct {
	Site
	events []fakeEvent
	now    time.Time
	asked  []string
	fail   func(page int) (status int, header http.Header, err error)
	before func(page int)
	held   func(id int64) bool // nil: all is proven
}

// answering turns a function of tests into Get of a Site. A response with the header X-Forwarded-On is not proven.
func answering(get func(context.Context, string) (int, http.Header, []byte, error)) func(context.Context, string) (*Answer, error) {
	return func(ctx context.Context, target string) (*Answer, error) {
		status, header, body, err := get(ctx, target)
		if err != nil {
			return nil, err
		}
		return &Answer{Status: status, Header: header, Body: body, NotProven: header.Get("X-Forwarded-On") != ""}, nil
	}
}

// getProven answers as the site does, without the events that are not proven.
func (s *fakeSite) getProven(ctx context.Context, target string) (*Answer, error) {
	a, err := answering(s.get)(ctx, target)
	var list struct {
		Events     []json.RawMessage `json:"events"`
		TotalPages int               `json:"total_pages"`
	}
	if err != nil || json.Unmarshal(a.Body, &list) != nil {
		return a, err
	}
	list.Events = slices.DeleteFunc(list.Events, func(raw json.RawMessage) bool {
		var e struct{ ID int64 }
		if json.Unmarshal(raw, &e) != nil || !s.held(e.ID) {
			return false
		}
		a.Held = append(a.Held, raw)
		return true
	})
	a.Body = encode(list)
	return a, nil
}

func (s *fakeSite) has(match func(fakeEvent, string) bool, list string) bool {
	return list == "" || !slices.ContainsFunc(strings.Split(list, ","), func(slug string) bool {
		return !slices.ContainsFunc(s.events, func(e fakeEvent) bool { return match(e, slug) })
	})
}

func inCategory(e fakeEvent, slug string) bool { return e.category == slug }
func withTag(e fakeEvent, slug string) bool    { return e.tag == slug }

func (s *fakeSite) get(_ context.Context, target string) (int, http.Header, []byte, error) {
	s.asked = append(s.asked, target)
	u, err := url.Parse(target)
	if err != nil || u.Path != s.API+"/events" {
		return 0, nil, nil, fmt.Errorf("unexpected target %q: %w", target, err)
	}
	q := u.Query()
	page, _ := strconv.Atoi(q.Get("page"))
	perPage, _ := strconv.Atoi(q.Get("per_page"))
	if s.before != nil {
		s.before(page)
	}
	if s.fail != nil {
		if status, header, err := s.fail(page); status != 0 || err != nil {
			return status, header, []byte(`{"code":"x"}`), err
		}
	}
	var bad []string
	for _, name := range []string{"start_date", "end_date", "starts_after", "starts_before"} {
		if v := q.Get(name); v != "" {
			if _, err := time.Parse(time.DateOnly, v); err != nil {
				bad = append(bad, `"`+name+`":"Invalid parameter."`)
			}
		}
	}
	if !s.has(inCategory, q.Get("categories")) {
		bad = append(bad, `"categories":"Invalid parameter."`)
	}
	if !s.has(withTag, q.Get("tags")) {
		bad = append(bad, `"tags":"Invalid parameter."`)
	}
	if bad != nil {
		return 400, nil, []byte(`{"code":"rest_invalid_param","data":{"status":400,"params":{` + strings.Join(bad, ",") + `}}}`), nil
	}
	var match []fakeEvent
	for _, e := range s.events {
		if s.matches(e, q) {
			match = append(match, e)
		}
	}
	slices.SortStableFunc(match, func(a, b fakeEvent) int { return a.local().Compare(b.local()) })
	pages := (len(match) + perPage - 1) / perPage
	header := http.Header{"X-Tec-Total": {strconv.Itoa(len(match))}}
	if page > 1 && page > pages {
		return 404, nil, []byte(`{"code":"event-archive-page-not-found"}`), nil
	}
	var shown []string
	for _, e := range match[min(len(match), (page-1)*perPage):min(len(match), page*perPage)] {
		shown = append(shown, e.json())
	}
	return 200, header, fmt.Appendf(nil, `{"events":[%s],"total":%d,"total_pages":%d}`, strings.Join(shown, ","), len(match), pages), nil
}

func (s *fakeSite) matches(e fakeEvent, q url.Values) bool {
	day := func(name string) time.Time {
		t, _ := time.Parse(time.DateOnly, q.Get(name))
		return t
	}
	endOf := func(name string) time.Time { return day(name).Add(24*time.Hour - time.Second) }
	local := e.local()
	relative := q.Has("starts_after") || q.Has("starts_before")
	switch {
	case q.Has("starts_after"):
		if !local.After(endOf("starts_after")) {
			return false
		}
	case q.Has("start_date"):
		if local.Before(day("start_date")) {
			return false
		}
	case !relative:
		if local.Before(s.now.Truncate(24 * time.Hour)) {
			return false
		}
	}
	return !(q.Has("starts_before") && !local.Before(endOf("starts_before")) ||
		q.Has("end_date") && local.After(endOf("end_date")) ||
		q.Has("search") && !strings.Contains(e.title, q.Get("search")) ||
		q.Has("categories") && !slices.Contains(strings.Split(q.Get("categories"), ","), e.category) ||
		q.Has("tags") && !slices.Contains(strings.Split(q.Get("tags"), ","), e.tag) ||
		q.Has("featured") && strconv.FormatBool(e.featured) != q.Get("featured"))
}

// network is a Source of fake sites.
type network struct {
	sites  []*fakeSite
	hidden int
	err    error
	read   []int64 // the sites of the last query
}

func (n *network) Public(_ context.Context, wanted func(int64, string) bool) ([]Site, int, error) {
	var out []Site
	n.read = nil
	for _, s := range n.sites {
		if !wanted(s.ID, s.Path) {
			continue
		}
		n.read = append(n.read, s.ID)
		site := s.Site
		site.Get = answering(s.get)
		if s.held != nil {
			site.Get = s.getProven
		}
		out = append(out, site)
	}
	return out, n.hidden, n.err
}

func now() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func handler(n *network) *Handler {
	return New(Config{Source: n, Root: root, Now: now, Log: slog.New(slog.DiscardHandler)})
}

// newNetwork returns sites with random events, whose ids overlap.
func newNetwork(r *rand.Rand, sites, events int) *network {
	n := &network{hidden: 2}
	for i := range sites {
		s := &fakeSite{now: now(), Site: Site{ID: int64(i + 1), Name: `Site "` + strconv.Itoa(i+1) + `"`, URL: "https://sit.example/s" + strconv.Itoa(i+1), Path: "/s" + strconv.Itoa(i+1) + "/", API: "/wp-json/tribe/events/v1"}}
		for id := range r.IntN(events) {
			s.events = append(s.events, fakeEvent{
				id: int64(id + 1), start: now().Add(time.Duration(r.IntN(24*40)-24*10) * time.Hour),
				offset: time.Duration(r.IntN(27)-12) * time.Hour, title: string(rune('a' + r.IntN(5))),
				category: fmt.Sprint("c", r.IntN(4), "-", i%2), tag: fmt.Sprint("t", r.IntN(3)), featured: r.IntN(3) == 0,
			})
		}
		n.sites = append(n.sites, s)
	}
	return n
}

type got struct {
	Events  []json.RawMessage `json:"events"`
	Sites   []takingPart      `json:"sites"`
	LeftOut leftOut           `json:"left_out"`
	Missing int               `json:"missing"`
	Next    string            `json:"next"`
}

func ask(t *testing.T, h *Handler, query string) (int, got, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/wp-json/"+Path+"?"+query, nil))
	var out got
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatalf("%s: %v\n%s", query, err, w.Body)
	}
	return w.Code, out, w.Body.String()
}

// walk returns the events of a query and of all links that follow.
func walk(t *testing.T, h *Handler, query string, perPage int, between func()) []string {
	t.Helper()
	var out []string
	for pages := 0; ; pages++ {
		if pages > 10_000 {
			t.Fatalf("%s: no end", query)
		}
		status, page, body := ask(t, h, query)
		if status != 200 {
			t.Fatalf("%s: status %d: %s", query, status, body)
		}
		if len(page.Events) > perPage || page.Next != "" && len(page.Events) != perPage {
			t.Fatalf("%s: %d events, next %q", query, len(page.Events), page.Next)
		}
		for _, e := range page.Events {
			out = append(out, string(e))
		}
		if page.Next == "" {
			return out
		}
		rest, ok := strings.CutPrefix(page.Next, root+Path+"?")
		if !ok {
			t.Fatalf("next is %q", page.Next)
		}
		query = rest
		if between != nil {
			between()
		}
	}
}

// naive returns the events of all sites that match, merged without reading lists.
func naive(n *network, chosen []int, q url.Values) []string {
	type row struct {
		e fakeEvent
		s *fakeSite
	}
	var rows []row
	for _, i := range chosen {
		s := n.sites[i]
		for _, e := range s.events {
			if s.matches(e, q) {
				rows = append(rows, row{e, s})
			}
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		if c := a.e.start.Compare(b.e.start); c != 0 {
			return c
		}
		if a.s.ID != b.s.ID {
			return int(a.s.ID - b.s.ID)
		}
		return int(a.e.id - b.e.id)
	})
	var out []string
	for _, r := range rows {
		name, _ := json.Marshal(r.s.Name)
		out = append(out, strings.TrimSuffix(r.e.json(), "}")+fmt.Sprintf(`,"site":{"id":%d,"name":%s,"url":"%s"}}`, r.s.ID, name, r.s.URL))
	}
	return out
}

func TestUnionIsTheMerge(t *testing.T) {
	queries := 5000
	if testing.Short() {
		queries = 300
	}
	r := rand.New(rand.NewPCG(1, 2))
	var n *network
	for i := range queries {
		if i%50 == 0 {
			n = newNetwork(r, 1+r.IntN(6), 1+r.IntN(150))
		}
		q := url.Values{}
		chosen := []int{}
		for at := range n.sites {
			if r.IntN(2) == 0 {
				chosen = append(chosen, at)
			}
		}
		if len(chosen) == 0 {
			for at := range n.sites {
				chosen = append(chosen, at)
			}
		} else {
			var names []string
			for _, at := range chosen {
				names = append(names, []string{strconv.FormatInt(n.sites[at].ID, 10), strings.TrimSuffix(n.sites[at].Path, "/"), n.sites[at].Path}[r.IntN(3)])
			}
			q.Set("sites", strings.Join(names, ","))
		}
		for _, name := range []string{"start_date", "end_date", "starts_after", "starts_before"} {
			if r.IntN(3) == 0 {
				q.Set(name, now().AddDate(0, 0, r.IntN(40)-10).Format(time.DateOnly))
			}
		}
		if r.IntN(4) == 0 {
			q.Set("search", string(rune('a'+r.IntN(6))))
		}
		if r.IntN(3) == 0 {
			q.Set("categories", fmt.Sprintf("c%d-%d,c%d-%d", r.IntN(4), r.IntN(2), r.IntN(5), r.IntN(2)))
		}
		if r.IntN(4) == 0 {
			q.Set("tags", fmt.Sprint("t", r.IntN(4)))
		}
		if r.IntN(4) == 0 {
			q.Set("featured", strconv.FormatBool(r.IntN(2) == 0))
		}
		perPage := []int{1 + r.IntN(9), 50, 500}[r.IntN(3)]
		want := naive(n, chosen, q)
		if q.Set("per_page", strconv.Itoa(perPage)); len(want) > 60 {
			perPage = max(perPage, 7)
			q.Set("per_page", strconv.Itoa(perPage))
		}
		if have := walk(t, handler(n), q.Encode(), perPage, nil); !slices.Equal(have, want) {
			t.Fatalf("query %d, %s: %d events, want %d\n%s\n\n%s", i, q.Encode(), len(have), len(want), strings.Join(have, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestEditsBetweenPages checks that events that do not move are returned once while others are
// created, moved and deleted between the requests.
func TestEditsBetweenPages(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		n := newNetwork(r, 4, 120)
		still := map[string]bool{}
		for _, s := range n.sites {
			for i := range s.events {
				if s.events[i].id%3 != 0 && s.matches(s.events[i], url.Values{}) {
					still[fmt.Sprint(s.ID, " ", s.events[i].id)] = false
				}
			}
		}
		next := int64(1000)
		edit := func() {
			s := n.sites[r.IntN(len(n.sites))]
			s.events = slices.DeleteFunc(s.events, func(e fakeEvent) bool { return e.id%3 == 0 && e.id < 1000 && r.IntN(4) == 0 })
			for i := range s.events {
				if s.events[i].id%3 == 0 && r.IntN(4) == 0 {
					s.events[i].start = now().Add(time.Duration(r.IntN(700)) * time.Hour)
				}
			}
			next += 3
			s.events = append(s.events, fakeEvent{id: next - next%3, start: now().Add(time.Duration(r.IntN(700)) * time.Hour)})
		}
		for _, raw := range walk(t, handler(n), "per_page=7", 7, edit) {
			var e struct {
				ID   int64
				Site struct{ ID int64 }
			}
			if err := json.Unmarshal([]byte(raw), &e); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprint(e.Site.ID, " ", e.ID)
			if twice, known := still[name]; known && twice {
				t.Fatalf("event %s is returned twice", name)
			} else if known {
				still[name] = true
			}
		}
		for name, found := range still {
			if !found {
				t.Fatalf("event %s is lost", name)
			}
		}
	}
}

// TestListChangesWhileRead checks that a list whose total changes between two of its pages is read
// again.
func TestListChangesWhileRead(t *testing.T) {
	s := &fakeSite{now: now(), Site: Site{ID: 1, Path: "/", API: "/wp-json/tribe/events/v1"}}
	for id := range int64(120) {
		s.events = append(s.events, fakeEvent{id: id + 1, start: now().Add(time.Duration(id) * 24 * time.Hour)})
	}
	once := true
	s.before = func(page int) {
		if page == 2 && once {
			once = false
			s.events = s.events[1:]
		}
	}
	have := walk(t, handler(&network{sites: []*fakeSite{s}}), "per_page=500", 500, nil)
	if len(have) != 120 { // the first one was taken before it was deleted
		t.Errorf("%d events, want 120", len(have))
	}
	s.before = func(int) { s.events = s.events[1:] }
	if _, page, _ := ask(t, handler(&network{sites: []*fakeSite{s}}), "per_page=500"); page.LeftOut.Failed != 1 {
		t.Errorf("a list that always changes: %+v, want it left out", page.LeftOut)
	}
}

// TestTieWithPageToCome checks that an event waits for the page of another site that may have one of
// the same start.
func TestTieWithPageToCome(t *testing.T) {
	at := now().AddDate(0, 0, 5)
	n := newNetwork(rand.New(rand.NewPCG(11, 12)), 2, 1)
	for id := range int64(10) { // the first page of a site for per_page=1
		n.sites[0].events = append(n.sites[0].events, fakeEvent{id: id + 1, start: at})
	}
	n.sites[0].events = append(n.sites[0].events, fakeEvent{id: 11, start: at.Add(-ahead), offset: ahead})
	n.sites[1].events = []fakeEvent{{id: 1, start: at.Add(-ahead)}}
	slices.Reverse(n.sites) // the order of the source does not matter
	if have, want := walk(t, handler(n), "per_page=1", 1, nil), naive(n, []int{0, 1}, url.Values{}); !slices.Equal(have, want) {
		t.Errorf("order:\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

func TestSitesThatCannotAnswer(t *testing.T) {
	cases := []struct {
		name string
		fail func(page int) (int, http.Header, error)
		want leftOut
	}{
		{"error", func(int) (int, http.Header, error) { return 0, nil, errors.New("connection lost") }, leftOut{NotPublic: 2, Failed: 1}},
		{"500", func(int) (int, http.Header, error) { return 500, nil, nil }, leftOut{NotPublic: 2, Failed: 1}},
		{"404 on the first page", func(int) (int, http.Header, error) { return 404, nil, nil }, leftOut{NotPublic: 2, Failed: 1}},
		{"not JSON", func(int) (int, http.Header, error) { return 302, nil, nil }, leftOut{NotPublic: 2, Failed: 1}},
		{"401", func(int) (int, http.Header, error) { return 401, nil, nil }, leftOut{NotPublic: 2, Closed: 1}},
		{"400 without parameters", func(int) (int, http.Header, error) { return 400, nil, nil }, leftOut{NotPublic: 2, Failed: 1}},
		{"forwarded", func(int) (int, http.Header, error) { return 200, http.Header{"X-Forwarded-On": {"1"}}, nil }, leftOut{NotPublic: 2, NotProven: 1}},
		{"500 on a later page", func(page int) (int, http.Header, error) {
			if page > 1 {
				return 500, nil, nil
			}
			return 0, nil, nil
		}, leftOut{NotPublic: 2, Failed: 1}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			n := newNetwork(rand.New(rand.NewPCG(5, 6)), 3, 200)
			for i := range 120 { // several pages
				n.sites[1].events = append(n.sites[1].events, fakeEvent{id: int64(1000 + i), start: now().Add(time.Duration(i+1) * time.Hour)})
			}
			n.sites[1].fail = c.fail
			_, page, body := ask(t, handler(n), "per_page=500")
			if page.LeftOut != c.want || page.Missing != 1 || len(page.Sites) != 2 {
				t.Fatalf("left out %+v, missing %d, %d sites: %.300s", page.LeftOut, page.Missing, len(page.Sites), body)
			}
			var have []string
			for _, e := range page.Events {
				have = append(have, string(e))
			}
			if want := naive(n, []int{0, 2}, url.Values{}); !slices.Equal(have, want) {
				t.Errorf("%d events, want %d", len(have), len(want))
			}
		})
	}
}

// TestHeld checks that events that are not proven are left out, and counted where they would stand.
func TestHeld(t *testing.T) {
	held := func(id int64) bool { return id%3 == 0 }
	n := newNetwork(rand.New(rand.NewPCG(9, 10)), 3, 200)
	n.sites[1].held = held
	complete := n.sites[1].events
	n.sites[1].events = slices.DeleteFunc(slices.Clone(complete), func(e fakeEvent) bool { return held(e.id) })
	want := naive(n, []int{0, 1, 2}, url.Values{"start_date": {"2020-01-01"}})
	missing := len(complete) - len(n.sites[1].events)
	n.sites[1].events = complete
	for _, perPage := range []int{1, 7, 500} {
		t.Run(strconv.Itoa(perPage), func(t *testing.T) {
			var have []string
			found := 0
			for query := fmt.Sprintf("start_date=2020-01-01&per_page=%d", perPage); query != ""; {
				_, page, body := ask(t, handler(n), query)
				if page.Missing != 0 || len(page.Sites) != 3 || page.Sites[0].Missing+page.Sites[2].Missing != 0 {
					t.Fatalf("%.300s", body)
				}
				for _, e := range page.Events {
					have = append(have, string(e))
				}
				found += page.Sites[1].Missing
				_, query, _ = strings.Cut(page.Next, "?")
			}
			if !slices.Equal(have, want) || found != missing || missing == 0 {
				t.Errorf("%d events and %d missing, want %d and %d", len(have), found, len(want), missing)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	n := newNetwork(rand.New(rand.NewPCG(7, 8)), 3, 20)
	backwards := key{start: -1 << 62}.cursor()
	cases := []struct {
		query string
		want  int
	}{
		{"", 200},
		{"unknown=1&_locale=user", 200},
		{"sites=1,/s2/", 200},
		{"sites=/S2", 200},
		{"sites[]=1&sites[]=2", 200},
		{"sites=4", 400},
		{"sites=s2", 400},
		{"sites=", 400},
		{"sites=01", 400},
		{"categories=12", 400},
		{"categories=", 400},
		{"categories=nowhere", 200},
		{"categories=" + strings.Repeat("a,", 3) + "b", 200},
		{"start_date=x", 400},
		{"start_date=x&categories=nowhere", 400},
		{"per_page=0", 400},
		{"per_page=501", 400},
		{"per_page=500", 200},
		{"per_page=1e2", 400},
		{"page=2", 400},
		{"venue=5", 400},
		{"venue[]=5", 400},
		{"include=5", 400},
		{"cursor=", 400},
		{"cursor=abc", 400},
		{"cursor=" + backwards, 400},
		{"cursor=" + strings.Repeat("A", 10_000), 400},
		{"search=" + strings.Repeat("A", maxQuery), 414},
		{"%zz", 400},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%.40s", c.query), func(t *testing.T) {
			status, _, body := ask(t, handler(n), c.query)
			var e struct {
				Code, Message string
				Data          struct{ Status int }
			}
			if err := json.Unmarshal([]byte(body), &e); err != nil || status != c.want || status != 200 && (e.Code == "" || e.Data.Status != status) {
				t.Errorf("status %d, want %d: %.300s", status, c.want, body)
			}
		})
	}
	t.Run("no sites", func(t *testing.T) {
		if status, _, _ := ask(t, handler(&network{err: errors.New("database gone")}), ""); status != 503 {
			t.Errorf("status %d, want 503", status)
		}
	})
	t.Run("methods", func(t *testing.T) {
		for method, want := range map[string]int{"HEAD": 200, "POST": 404, "DELETE": 404} {
			w := httptest.NewRecorder()
			handler(n).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, "/", nil))
			if w.Code != want || method == "HEAD" && w.Body.Len() > 0 {
				t.Errorf("%s: status %d with %d bytes, want %d", method, w.Code, w.Body.Len(), want)
			}
		}
	})
}

// TestOnlyAnonymousAnswersMatter checks that the response depends on the sites' responses alone: not
// on credentials, which never reach a site.
func TestOnlyAnonymousAnswersMatter(t *testing.T) {
	answer := func(header http.Header) ([]byte, [][]string) {
		n := newNetwork(rand.New(rand.NewPCG(9, 10)), 3, 80)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?per_page=9", nil)
		r.Header = header
		w := httptest.NewRecorder()
		handler(n).ServeHTTP(w, r)
		var asked [][]string
		for _, s := range n.sites {
			asked = append(asked, s.asked)
		}
		return w.Body.Bytes(), asked
	}
	plain, asked := answer(http.Header{})
	other, askedOther := answer(http.Header{"Authorization": {"Basic YTpi"}, "Cookie": {"wordpress_logged_in_x=1"}, "X-Wp-Nonce": {"1"}, "Accept-Language": {"cs"}})
	if !bytes.Equal(plain, other) || !slices.EqualFunc(asked, askedOther, slices.Equal) {
		t.Error("headers of the client change the response or what sites are asked")
	}
}

// TestLaterPagesReadLittle checks that a cursor deep in the calendar does not read the lists from
// their beginning.
func TestLaterPagesReadLittle(t *testing.T) {
	s := &fakeSite{now: now(), Site: Site{ID: 1, Path: "/", API: "/wp-json/tribe/events/v1"}}
	for id := range int64(2000) {
		s.events = append(s.events, fakeEvent{id: id + 1, start: now().Add(time.Duration(id) * 6 * time.Hour)})
	}
	h := handler(&network{sites: []*fakeSite{s}})
	for _, query := range []string{"", "&start_date=2026-11-25", "&starts_after=2026-11-25", "&starts_before=2030-01-01"} {
		s.asked = nil
		k := key{start: now().Add(9000 * time.Hour).Unix(), site: 1, id: 1501}
		if _, page, _ := ask(t, h, "cursor="+k.cursor()+query); len(page.Events) != 50 || len(s.asked) > 2 {
			t.Errorf("%q: %d events by %d requests: %q", query, len(page.Events), len(s.asked), s.asked)
		}
	}
}

func FuzzCursor(f *testing.F) {
	f.Add(key{1, 2, 3}.cursor())
	f.Add("MToxOjI6Mw==")
	f.Add("MTogMToyOjM")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		if k, ok := parseCursor(s); ok && k.cursor() != s {
			t.Errorf("%q is accepted, but the cursor of %v is %q", s, k, k.cursor())
		}
	})
}

// TestOnlyChosenSitesAreRead checks that a query reads nothing of sites that it does not choose.
func TestOnlyChosenSitesAreRead(t *testing.T) {
	n := newNetwork(rand.New(rand.NewPCG(1, 2)), 4, 20)
	h := handler(n)
	for _, c := range []struct {
		name, query string
		want        []int64
	}{
		{"all", "", []int64{1, 2, 3, 4}},
		{"by id", "sites=3", []int64{3}},
		{"by path", "sites=/s2/,4", []int64{2, 4}},
		{"unknown", "sites=99", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/?"+c.query, nil))
			if !slices.Equal(n.read, c.want) {
				t.Errorf("%v, want %v", n.read, c.want)
			}
		})
	}
}
