package union

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"calbridge/rest/rfc5545"
)

// feedSite is a site with feeds only.
type feedSite struct {
	Site
	iCalendar, jsonFeed string
	status              int // instead of 200, if not 0
	err                 error
}

type feedSites []*feedSite

func (n feedSites) Public(_ context.Context, wanted func(int64, string) bool) ([]Site, int, error) {
	var out []Site
	for _, s := range n {
		if !wanted(s.ID, s.Path) {
			continue
		}
		site := s.Site
		site.Get = answering(func(_ context.Context, target string) (int, http.Header, []byte, error) {
			path, query, _ := strings.Cut(strings.TrimPrefix(target, s.API+"/"), "?")
			known := !strings.Contains(query, "categories=") || s.ID == 1
			switch {
			case s.err != nil:
				return 0, nil, nil, s.err
			case s.status != 0:
				return s.status, nil, []byte(`{}`), nil
			case !known:
				return 400, nil, []byte(`{"data":{"params":{"categories":"Invalid parameter."}}}`), nil
			case path == "events.ics":
				return 200, nil, []byte(s.iCalendar), nil
			case path == "events.jsonfeed":
				return 200, nil, []byte(s.jsonFeed), nil
			}
			return 404, nil, nil, nil
		})
		out = append(out, site)
	}
	return out, 1, nil
}

// newFeedSites returns sites with an event of every given year in Prague.
func newFeedSites(t *testing.T, years ...[]int) feedSites {
	t.Helper()
	prague, err := time.LoadLocation("Europe/Prague")
	if err != nil {
		t.Fatal(err)
	}
	var out feedSites
	for i, of := range years {
		s := &feedSite{Site: Site{ID: int64(i + 1), Name: fmt.Sprint("Site ", i+1), URL: fmt.Sprint("https://sit.example/s", i+1), Path: fmt.Sprintf("/s%d/", i+1), API: "/wp-json/tribe/events/v1"}}
		c := rfc5545.Calendar{Name: s.Name, Home: s.URL}
		var items []string
		if len(of) > 0 {
			c.Zones = rfc5545.NewZones(of[0], of[len(of)-1])
		}
		b := c.AppendHead(nil)
		for id, year := range of {
			at := time.Date(year, 7, 1, 20, 0, 0, 0, prague)
			wall := time.Date(year, 7, 1, 20, 0, 0, 0, time.UTC)
			e := &rfc5545.Event{UID: fmt.Sprintf("sit.example/s%d?id=%d", i+1, id), Title: "BEGIN:VEVENT\nEND:VEVENT " + strings.Repeat("long ", 30),
				Dates: rfc5545.Dates{Start: wall, End: wall.Add(time.Hour), StartUTC: at.UTC(), EndUTC: at.Add(time.Hour).UTC(), Zone: prague}}
			b = c.AppendEvent(b, e)
			items = append(items, fmt.Sprintf(`{"id":"%s","title":"a<\/b>","_event":{"start":"%s"}}`, e.UID, at.Format(time.RFC3339)))
		}
		s.iCalendar, s.jsonFeed = string(c.AppendEnd(b)), `{"items":[`+strings.Join(items, ",")+`]}`
		out = append(out, s)
	}
	return out
}

func askFeed(t *testing.T, n Source, serve func(*Handler) http.HandlerFunc, query string) *httptest.ResponseRecorder {
	t.Helper()
	h := handler(nil)
	h.Source, h.Name, h.Home = n, "All", "https://sit.example"
	w := httptest.NewRecorder()
	serve(h)(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, nil))
	return w
}

func iCalendarOf(h *Handler) http.HandlerFunc { return h.ICalendar }
func jsonFeedOf(h *Handler) http.HandlerFunc  { return h.JSONFeed }

func TestICalendar(t *testing.T) {
	n := newFeedSites(t, []int{2024, 2025}, nil, []int{2026, 2027, 2028})
	w := askFeed(t, n, iCalendarOf, "")
	body := w.Body.String()
	if w.Code != 200 || w.Header().Get("Content-Type") != rfc5545.ContentType || !strings.HasPrefix(body, "BEGIN:VCALENDAR\r\n") || !strings.HasSuffix(body, "END:VCALENDAR\r\n") {
		t.Fatalf("status %d, %v\n%s", w.Code, w.Header(), body)
	}
	events := regexp.MustCompile(`(?s)\r\nBEGIN:VEVENT\r\n.*?\r\nEND:VEVENT`)
	var want []string
	for _, s := range n {
		want = append(want, events.FindAllString(s.iCalendar, -1)...)
	}
	if have := events.FindAllString(body, -1); len(want) != 5 || strings.Join(have, "") != strings.Join(want, "") {
		t.Errorf("events:\n%s\n\nwant\n%s", strings.Join(have, ""), strings.Join(want, ""))
	}
	if strings.Count(body, "BEGIN:VTIMEZONE") != 1 || strings.Count(body, "TZID:Europe/Prague\r\n") != 1 {
		t.Errorf("want one description of the zone:\n%s", body)
	}
	for _, s := range n {
		for _, line := range strings.Split(s.iCalendar, "\r\n") {
			if strings.HasPrefix(line, "RDATE:") && !strings.Contains(body, line) {
				t.Errorf("%s of %s is missing", line, s.Name)
			}
		}
	}
	if body := askFeed(t, n, iCalendarOf, "sites=2").Body.String(); strings.Contains(body, "VEVENT") || !strings.Contains(body, "TZID:UTC") {
		t.Errorf("feed without events:\n%s", body)
	}
	if body := askFeed(t, n, iCalendarOf, "categories=a").Body.String(); strings.Count(body, "BEGIN:VEVENT\r\n") != 2 {
		t.Errorf("feed of a category of the first site:\n%s", body)
	}
	n[0].iCalendar = n[0].iCalendar[:len(n[0].iCalendar)/2]
	if w := askFeed(t, n, iCalendarOf, ""); w.Code != 503 {
		t.Errorf("status %d with a feed that is cut off, want 503", w.Code)
	}
}

func TestJSONFeed(t *testing.T) {
	n := newFeedSites(t, []int{2024, 2027}, []int{2025})
	w := askFeed(t, n, jsonFeedOf, "sites=1,2&search=a")
	var feed struct {
		Version string
		FeedURL string `json:"feed_url"`
		Items   []json.RawMessage
	}
	if err := json.Unmarshal(w.Body.Bytes(), &feed); err != nil || feed.Version != "https://jsonfeed.org/version/1.1" || feed.FeedURL != root+JSONFeedPath+"?search=a&sites=1%2C2" {
		t.Fatalf("%v: %s", err, w.Body)
	}
	want := `{"id":"sit.example/s1?id=0","title":"a<\/b>","_event":{"start":"2024-07-01T20:00:00+02:00"},"_site":{"id":1,"name":"Site 1","url":"https://sit.example/s1"}}
{"id":"sit.example/s2?id=0","title":"a<\/b>","_event":{"start":"2025-07-01T20:00:00+02:00"},"_site":{"id":2,"name":"Site 2","url":"https://sit.example/s2"}}
{"id":"sit.example/s1?id=1","title":"a<\/b>","_event":{"start":"2027-07-01T20:00:00+02:00"},"_site":{"id":1,"name":"Site 1","url":"https://sit.example/s1"}}`
	var have [][]byte
	for _, item := range feed.Items {
		have = append(have, item)
	}
	if got := string(bytes.Join(have, []byte("\n"))); got != want {
		t.Errorf("items:\n%s\nwant\n%s", got, want)
	}
	n[0].jsonFeed = `{"items":[{"_event":{"start":"soon"}}]}`
	if w := askFeed(t, n, jsonFeedOf, ""); w.Code != 503 {
		t.Errorf("status %d with an item without a start, want 503", w.Code)
	}
}

func TestFeedsOfSitesThatCannotAnswer(t *testing.T) {
	cases := []struct {
		name    string
		site    feedSite
		query   string
		want    int
		missing string
	}{
		{"closed", feedSite{status: 403}, "", 200, "1"},
		{"failed", feedSite{status: 500}, "", 503, ""},
		{"without extensions", feedSite{status: 404}, "", 503, ""},
		{"error", feedSite{err: errors.New("connection lost")}, "", 503, ""},
		{"failed, not chosen", feedSite{status: 500}, "sites=2", 200, ""},
		{"page", feedSite{}, "page=1", 400, ""},
		{"per_page", feedSite{}, "per_page=5", 400, ""},
		{"cursor", feedSite{}, "cursor=" + key{1, 1, 1}.cursor(), 400, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			n := newFeedSites(t, []int{2026}, []int{2026})
			n[0].status, n[0].err = c.site.status, c.site.err
			for _, serve := range []func(*Handler) http.HandlerFunc{iCalendarOf, jsonFeedOf} {
				w := askFeed(t, n, serve, c.query)
				if w.Code != c.want || w.Header().Get(missingHeader) != c.missing {
					t.Errorf("status %d, missing %q: %s", w.Code, w.Header().Get(missingHeader), w.Body)
				}
			}
		})
	}
}
