package union

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// changingSite is a site with events/changes. Its tokens name a number of changes, and a page token the last
// id that was sent too.
type changingSite struct {
	Site
	events  map[int64]int // versions by id
	log     []int64       // the ids that have changed
	expired int           // tokens below can't be used
	public  bool
	state   string // "", "down", "closed" or "auto"
}

func (s *changingSite) change(r *rand.Rand) {
	id := int64(r.IntN(20) + 1)
	if r.IntN(3) == 0 {
		delete(s.events, id)
	} else {
		s.events[id] = len(s.log) + 1
	}
	s.log = append(s.log, id)
}

func (s *changingSite) get(_ context.Context, target string) (*Answer, error) {
	u, err := url.Parse(target)
	if err != nil || u.Path != s.API+"/events/changes" {
		return nil, fmt.Errorf("unexpected target %q: %w", target, err)
	}
	switch s.state {
	case "down":
		return &Answer{Status: 503}, nil
	case "closed":
		return &Answer{Status: 403}, nil
	case "auto":
		return &Answer{NotProven: true}, nil
	}
	perPage, _ := strconv.Atoi(u.Query().Get("per_page"))
	var from, to, after int64
	listing := true
	if text := u.Query().Get("page_token") + u.Query().Get("sync_token"); text == "now" {
		listing, from = false, int64(len(s.log))
	} else if text != "" {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Sscanf(string(raw), "%t %d %d %d", &listing, &from, &to, &after); err != nil {
			return nil, err
		}
		if from < int64(s.expired) {
			return &Answer{Status: 410, Body: []byte(`{"code":"calbridge_sync_token_gone"}`)}, nil
		}
	} else {
		from = int64(len(s.log))
	}
	if after == 0 {
		to = int64(len(s.log))
	}
	token := func(listing bool, from, to, after int64) string {
		return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%t %d %d %d", listing, from, to, after))
	}
	ids := map[int64]bool{}
	if listing {
		for id := range s.events {
			ids[id] = true
		}
	} else {
		for _, id := range s.log[from:to] {
			ids[id] = true
		}
	}
	var events []string
	for id := after + 1; id <= 20; id++ {
		if !ids[id] {
			continue
		}
		if len(events) == perPage {
			return &Answer{Status: 200, Body: fmt.Appendf(nil, `{"events":[%s],"page_token":%q}`, strings.Join(events, ","), token(listing, from, to, after))}, nil
		}
		after = id
		if version, ok := s.events[id]; ok {
			events = append(events, fmt.Sprintf(`{"id":%d,"version":%d}`, id, version))
		} else {
			events = append(events, fmt.Sprintf(`{"id":%d,"deleted":true}`, id))
		}
	}
	if listing {
		to = from
	}
	return &Answer{Status: 200, Body: fmt.Appendf(nil, `{"events":[%s],"sync_token":%q}`, strings.Join(events, ","), token(false, to, 0, 0))}, nil
}

type changingNetwork []*changingSite

func (n changingNetwork) Public(_ context.Context, wanted func(int64, string) bool) (sites []Site, leftOut int, err error) {
	for _, s := range n {
		switch {
		case !wanted(s.ID, s.Path):
		case !s.public:
			leftOut++
		default:
			site := s.Site
			site.Get = s.get
			sites = append(sites, site)
		}
	}
	return sites, leftOut, nil
}

// copyOf is a client that only applies changes.
type copyOf struct {
	t      *testing.T
	h      *Handler
	query  string
	token  string
	name   string // of the token's parameter
	events map[[2]int64]string
	last   changesResponse
}

// page applies a page, and reports whether it was the last one.
func (c *copyOf) page() (done bool) {
	c.t.Helper()
	q := c.query
	if c.token != "" {
		q += "&" + c.name + "=" + c.token
	}
	w := httptest.NewRecorder()
	c.h.Changes(w, httptest.NewRequestWithContext(c.t.Context(), http.MethodGet, "/wp-json/"+ChangesPath+"?"+q, nil))
	c.last = changesResponse{}
	if err := json.Unmarshal(w.Body.Bytes(), &c.last); err != nil || w.Code != 200 {
		c.t.Fatalf("%d %v %s", w.Code, err, w.Body)
	}
	for _, raw := range c.last.Events {
		var e struct {
			ID      int64
			Deleted bool
			Site    shownSite
		}
		if err := json.Unmarshal(raw, &e); err != nil || e.Site.ID == 0 {
			c.t.Fatalf("%v %s", err, raw)
		}
		switch {
		case e.Deleted && e.ID == 0:
			for key := range c.events {
				if key[0] == e.Site.ID {
					delete(c.events, key)
				}
			}
		case e.Deleted:
			delete(c.events, [2]int64{e.Site.ID, e.ID})
		default:
			c.events[[2]int64{e.Site.ID, e.ID}] = string(raw)
		}
	}
	if c.token, c.name = c.last.SyncToken, "sync_token"; c.token == "" {
		c.token, c.name = c.last.PageToken, "page_token"
		return false
	}
	return true
}

func (c *copyOf) sync() {
	c.t.Helper()
	for pages := 0; !c.page(); pages++ {
		if pages > 1000 {
			c.t.Fatal("no end")
		}
	}
}

// TestChangesModel checks that clients that only apply changes end with the events of all sites, whatever
// happens between two pages: writes, expired tokens, and sites that appear, go, fail, close and enter mode
// auto.
func TestChangesModel(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	r := rand.New(rand.NewPCG(3, 4))
	var n changingNetwork
	for i := range 5 {
		n = append(n, &changingSite{events: map[int64]int{}, public: true, Site: Site{ID: int64(i + 1), Name: fmt.Sprint("Site ", i+1), URL: "https://sit.example", Path: fmt.Sprintf("/s%d/", i+1), API: "/wp-json/tribe/events/v1"}})
	}
	h := New(Config{Source: n, Root: root, Now: now, Log: handler(&network{}).Log})
	var clients []*copyOf
	for _, query := range []string{"per_page=3", "per_page=50", "sites=2,/s4/&per_page=7"} {
		clients = append(clients, &copyOf{t: t, h: h, query: query, events: map[[2]int64]string{}})
	}
	disturb := func() {
		s := n[r.IntN(len(n))]
		switch r.IntN(12) {
		case 0:
			s.public = !s.public
		case 1:
			s.expired = len(s.log) + 1
			s.log = append(s.log, 1)
		case 2:
			s.state = []string{"", "down", "closed", "auto"}[r.IntN(4)]
		default:
			s.change(r)
		}
	}
	for range rounds {
		c := clients[r.IntN(len(clients))]
		if c.token == "" { // a subscription begins with sites that exist
			n[1].public, n[3].public = true, true
		}
		for range r.IntN(4) {
			disturb()
			c.page()
			if c.token == "" {
				t.Fatal("no token")
			}
		}
		if r.IntN(3) > 0 {
			continue
		}
		for _, s := range n {
			s.state = ""
		}
		c.sync() // the round that was under way
		c.sync()
		want := map[[2]int64]string{}
		for _, s := range n {
			if strings.HasPrefix(c.query, "sites") && !slices.Contains([]int64{2, 4}, s.ID) || !s.public {
				continue
			}
			for id, version := range s.events {
				want[[2]int64{s.ID, id}] = fmt.Sprintf(`{"id":%d,"version":%d,"site":%s}`, id, version, encode(shownSite{s.ID, s.Name, s.URL}))
			}
		}
		if len(want) != len(c.events) || c.last.Missing != 0 {
			t.Fatalf("%s: %d events, want %d; %+v", c.query, len(c.events), len(want), c.last.LeftOut)
		}
		for key, event := range want {
			if c.events[key] != event {
				t.Fatalf("%s: %v: %s, want %s", c.query, key, c.events[key], event)
			}
		}
	}
}

// TestChangesLeftOut checks what a client is told of sites that don't take part.
func TestChangesLeftOut(t *testing.T) {
	for _, c := range []struct {
		state string
		want  leftOut
		keeps bool
	}{{"down", leftOut{Failed: 1}, true}, {"closed", leftOut{Closed: 1}, false}, {"auto", leftOut{NotProven: 1}, false}} {
		t.Run(c.state, func(t *testing.T) {
			s := &changingSite{events: map[int64]int{1: 1, 2: 1}, public: true, Site: Site{ID: 7, Path: "/s7/", API: "/api"}}
			client := &copyOf{t: t, h: New(Config{Source: changingNetwork{s}, Root: root, Now: now, Log: handler(&network{}).Log}), events: map[[2]int64]string{}}
			client.sync()
			s.state = c.state
			for range 2 {
				client.sync()
				if client.last.LeftOut != c.want || client.last.Missing != 1 || (len(client.events) == 2) != c.keeps {
					t.Errorf("%+v, %d events", client.last.LeftOut, len(client.events))
				}
			}
			s.state = ""
			if client.sync(); len(client.events) != 2 || client.last.Missing != 0 {
				t.Errorf("%+v, %d events", client.last, len(client.events))
			}
		})
	}
}

// TestChangesFromNow checks that a client that needs no list gets a token without it, and that a site that could
// not answer then sends its list later.
func TestChangesFromNow(t *testing.T) {
	n := changingNetwork{
		&changingSite{events: map[int64]int{1: 1, 2: 1}, public: true, Site: Site{ID: 7, Path: "/s7/", API: "/api"}},
		&changingSite{events: map[int64]int{1: 1}, public: true, state: "down", Site: Site{ID: 8, Path: "/s8/", API: "/api"}},
	}
	client := &copyOf{t: t, h: New(Config{Source: n, Root: root, Now: now, Log: handler(&network{}).Log}), token: "now", name: "sync_token", events: map[[2]int64]string{}}
	client.sync()
	if len(client.events) > 0 || client.last.Missing != 1 {
		t.Fatalf("%d events, %+v", len(client.events), client.last)
	}
	n[0].events[3], n[0].log, n[1].state = 1, []int64{3}, ""
	client.sync()
	if len(client.events) != 2 || client.events[[2]int64{7, 3}] == "" || client.events[[2]int64{8, 1}] == "" {
		t.Errorf("%v", client.events)
	}
}

func TestPositions(t *testing.T) {
	full := position{next: 9, places: []place{{site: 1, token: []byte("AAEC"), within: true}, {site: 9, reason: notProven}, {site: 1 << 31, token: []byte("_-8A"), within: true, listing: true, reason: failed}}}
	text := full.token()
	if got, err := parsePosition(text); err != nil || got.token() != text || len(got.places) != 3 || string(got.places[2].token) != "_-8A" || got.places[2].reason != failed {
		t.Errorf("%+v %v", got, err)
	}
	for _, c := range []struct{ name, text, reason string }{
		{"no Base64", "%%%", "malformed"}, {"another version", "Ag", "foreign"}, {"cut", text[:len(text)-3], "malformed"}, {"a number only", "AQ", "malformed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			h := New(Config{Source: changingNetwork{}, Root: root, Now: now, Log: handler(&network{}).Log})
			h.Changes(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?sync_token="+url.QueryEscape(c.text), nil))
			if w.Code != http.StatusGone || !strings.Contains(w.Body.String(), `"reason":"`+c.reason+`"`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

// FuzzPosition checks that any text is refused, or is a position that can be written again.
func FuzzPosition(f *testing.F) {
	p := position{next: 9, places: []place{{site: 1, token: []byte("AAEC"), within: true}, {site: 9, reason: closed}}}
	for _, seed := range []string{"", "AQ", p.token()} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePosition(text)
		if err != nil {
			return
		}
		again, err := parsePosition(p.token())
		if err != nil || again.token() != p.token() {
			t.Errorf("%q: %+v %v", text, again, err)
		}
	})
}
