package rest

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/rest/union"
	"calbridge/wpstore/guard"
)

// TestHiddenContentsDoNotShowAcrossSites checks that what TestHiddenContentsDoNotShow says of one site
// holds for the calendar over several. Two networks have the same sites, whose worlds differ in what
// a visitor can't read. All responses and feeds are the same in both, and the sites are asked the same.
// CALBRIDGE_UNION_WORLDS is the number of networks.
func TestHiddenContentsDoNotShowAcrossSites(t *testing.T) {
	seeds := 8
	if testing.Short() { // for the race detector
		seeds = 3
	}
	events := 0
	for seed := range uint64(envNumber(t, "CALBRIDGE_UNION_WORLDS", seeds)) {
		shown, differ := askBothNetworks(t, seed+1, api.Safe)
		if differ != "" {
			t.Fatalf("seed %d: %s", seed+1, differ)
		}
		events += shown
	}
	if t.Logf("%d events", events); events == 0 {
		t.Error("no event was shown")
	}
}

// TestHiddenContentsShowAcrossSitesUnderExact checks that the test above finds what the reference shows.
func TestHiddenContentsShowAcrossSitesUnderExact(t *testing.T) {
	for seed := range uint64(20) {
		if _, differ := askBothNetworks(t, seed+1, api.Exact); differ != "" {
			return
		}
	}
	t.Error("no network shows a difference")
}

// worldNetwork is a network of some worlds. It implements union.Source.
type worldNetwork struct {
	sites []union.Site
	asked [][]string // by site
}

// Public implements union.Source.
func (n *worldNetwork) Public(_ context.Context, wanted func(id int64, path string) bool) (sites []union.Site, leftOut int, err error) {
	return slices.DeleteFunc(slices.Clone(n.sites), func(s union.Site) bool { return !wanted(s.ID, s.Path) }), 0, nil
}

// add adds a world as a site.
func (n *worldNetwork) add(s *testSite) {
	at := len(n.sites)
	n.asked = append(n.asked, nil)
	n.sites = append(n.sites, union.Site{
		ID: int64(at + 1), Name: fmt.Sprint("Site ", at+1), URL: fmt.Sprint("https://village.example/s", at+1), Path: fmt.Sprintf("/s%d/", at+1), API: testBase,
		Get: func(_ context.Context, pathAndQuery string) (*union.Answer, error) {
			n.asked[at] = append(n.asked[at], pathAndQuery)
			got := s.get(pathAndQuery)
			return &union.Answer{Status: got.status, Header: got.header, Body: []byte(got.body)}, nil
		},
	})
}

// askBothNetworks makes the two networks of a seed and asks both. It returns the number of events that were
// shown, and the first difference.
func askBothNetworks(t *testing.T, seed uint64, compat api.Compat) (shown int, differ string) {
	t.Helper()
	m := newMaker(seed)
	visitor := worldClients[0]
	var networks [2]*worldNetwork
	var handlers [2]*union.Handler
	var opened []*testSite
	defer func() {
		for _, s := range opened {
			s.srv.Close()
			_ = s.Close()
		}
	}()
	for i := range networks {
		networks[i] = &worldNetwork{}
		handlers[i] = union.New(union.Config{
			Source: networks[i], Root: "https://village.example/wp-json/", Name: "Village", Home: "https://village.example/",
			Now: func() time.Time { return testNow }, Log: slog.New(slog.DiscardHandler), Guard: guard.New(slog.New(slog.DiscardHandler), nil),
		})
	}
	for range 3 {
		posts := m.posts()
		m.file(posts)
		other := make([]*worldPost, len(posts))
		for i, p := range posts {
			other[i] = m.unlike(p, &visitor)
		}
		m.file(other)
		for i, posts := range [][]*worldPost{posts, other} {
			s := world(t, posts, nil, func(cfg *Config) { cfg.Compat, cfg.Extensions = compat, true })
			opened = append(opened, s)
			networks[i].add(s)
		}
	}
	for range 20 {
		query, kind := m.unionQuery().Encode(), m.IntN(4)
		for page := 0; query != "end" && page < 20; page++ {
			var got [2]answer
			for i, h := range handlers {
				clear(networks[i].asked)
				w := httptest.NewRecorder()
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, nil)
				switch kind {
				case 0:
					h.ICalendar(w, r)
				case 1:
					h.JSONFeed(w, r)
				default:
					h.ServeHTTP(w, r)
				}
				got[i] = answer{t, w.Code, w.Header(), w.Body.String()}
			}
			switch {
			case got[0].status != http.StatusOK && got[0].status != http.StatusBadRequest:
				return shown, fmt.Sprintf("%s\n%d %.300s", query, got[0].status, got[0].body)
			case got[0].status != got[1].status || got[0].body != got[1].body:
				return shown, query + "\n" + cmp.Diff(strings.Split(got[0].body, ","), strings.Split(got[1].body, ","))
			case !cmp.Equal(got[0].header, got[1].header) || !cmp.Equal(networks[0].asked, networks[1].asked):
				return shown, query + "\n" + cmp.Diff(got[0].header, got[1].header) + cmp.Diff(networks[0].asked, networks[1].asked)
			}
			shown += strings.Count(got[0].body, `"global_id":`)
			if query = "end"; kind > 1 && got[0].json("next") != "" {
				_, query, _ = strings.Cut(got[0].json("next"), "?")
			}
		}
	}
	return shown, ""
}

// unionQuery returns a random query of the calendar over several sites.
func (m maker) unionQuery() url.Values {
	q := url.Values{}
	for _, of := range [][]string{
		{"per_page", "1", "2", "5", "50"}, {"start_date", "2026-01-01", "2026-12-01"}, {"search", m.words(1), m.words(2)}, {"featured", "true", "false"},
		{"categories", "music", "talks", "music,talks"}, {"tags", "outdoors"}, {"ends_before", "2026-12-20"}, {"sites", "1,2", "/s3", "2"},
	} {
		if m.chance(30) {
			q.Set(of[0], oneOf(m, of[1:]...))
		}
	}
	return q
}
