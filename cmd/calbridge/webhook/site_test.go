package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// town is a process that serves several sites, which a test adds and removes.
type town struct {
	mu      sync.Mutex
	sites   []Site
	changed chan struct{}
}

func (t *town) get() ([]Site, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.sites), t.changed
}

func (t *town) set(sites ...Site) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sites = sites
	if t.changed != nil {
		close(t.changed)
	}
	t.changed = make(chan struct{})
}

// mailbox is a target that writes down the site and the event of what it is told, in the order of arrival
// by site.
type mailbox struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	got    map[int64][]string // by the number of the site
}

func newMailbox(t *testing.T) *mailbox {
	m := &mailbox{got: map[int64][]string{}, status: http.StatusNoContent}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got struct {
			Type string
			Site struct {
				ID  int64
				URL string
			}
			Data struct{ ID int64 }
		}
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &got)
		}
		if err != nil || got.Site.URL != fmt.Sprintf("https://town.example/%d", got.Site.ID) {
			t.Errorf("%v: %s", err, body)
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.status == http.StatusNoContent {
			m.got[got.Site.ID] = append(m.got[got.Site.ID], fmt.Sprint(got.Type, " ", got.Data.ID))
		}
		w.WriteHeader(m.status)
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *mailbox) answer(status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.status = status
}

// told waits until a target was told something of a site.
func (m *mailbox) told(t *testing.T, site int64, want ...string) {
	t.Helper()
	var got []string
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		m.mu.Lock()
		got = slices.Clone(m.got[site])
		m.mu.Unlock()
		if len(got) >= len(want) {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("site %d: %q, want %q", site, got, want)
	}
}

// TestSites checks that targets are told of the sites that they want, of sites that appear, and that the
// events of a site that disappears are gone, until it returns.
func TestSites(t *testing.T) {
	lists := map[int64]*list{1: newList(), 2: newList(), 3: newList()}
	of := func(id int64) Site {
		return Site{Name: fmt.Sprint(id), ID: id, URL: fmt.Sprintf("https://town.example/%d", id), Calendar: lists[id]}
	}
	for _, l := range lists {
		l.change(func(e map[int64]string) { e[7] = "before" })
	}
	sites := &town{}
	sites.set(of(1), of(2))
	all, second := newMailbox(t), newMailbox(t)
	targets := []Target{newTarget(t, "all", all.URL), newTarget(t, "second", second.URL)}
	targets[1].Sites = []string{"2"}
	clock := &ahead{}
	s := startSenderWith(t, Timeout, t.TempDir(), sites.get, clock.now, targets...)
	defer s.Close()
	settled(t, s)
	for id := range int64(2) {
		lists[id+1].change(func(e map[int64]string) { e[8] = "new" })
	}
	all.told(t, 1, "event.created 8")
	all.told(t, 2, "event.created 8")
	second.told(t, 2, "event.created 8")
	sites.set(of(1), of(2), of(3))
	until(t, "the new site", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.subscriptions["all/3"] != nil
	})
	settled(t, s)
	lists[3].change(func(e map[int64]string) { e[9] = "new" })
	all.told(t, 3, "event.created 9")
	sites.set(of(1), of(3))
	all.told(t, 2, "event.created 8", "event.deleted 7", "event.deleted 8")
	second.told(t, 2, "event.created 8", "event.deleted 7", "event.deleted 8")
	lists[2].mu.Lock()
	lists[2].gone = true
	lists[2].mu.Unlock()
	sites.set(of(1), of(2), of(3))
	all.told(t, 2, "event.created 8", "event.deleted 7", "event.deleted 8", "event.created 7", "event.created 8")
	second.told(t, 1)
	until(t, "the sums over sites", func() bool {
		one, err := s.Statuses(t.Context())
		return err == nil && len(one) == 2 && one[0].Delivered == 7 && one[0].Pending == 0 && one[1].Delivered == 5 && one[1].Pending == 0
	})

	t.Run("a target that accepts nothing is asked once, not once for each site", func(t *testing.T) {
		all.answer(http.StatusServiceUnavailable)
		for _, l := range lists {
			l.change(func(e map[int64]string) { e[10] = "later" })
		}
		pending := func() Status {
			one, err := s.Statuses(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return one[0]
		}
		until(t, "the attempt", func() bool { one := pending(); return one.Attempts == 1 && one.Pending == 3 })
		clock.add(time.Minute)
		wake(s)
		until(t, "the next attempt", func() bool { return pending().Attempts == 2 })
		all.answer(http.StatusGone)
		clock.add(time.Hour)
		wake(s)
		until(t, "disabled", func() bool { return !pending().Disabled.IsZero() })
		all.answer(http.StatusNoContent)
		if err := s.Replay(t.Context(), "all"); err != nil {
			t.Fatal(err)
		}
		all.told(t, 1, "event.created 8", "event.updated 7", "event.updated 8", "event.updated 10")
	})
}

// withoutCalendar answers as a site without the calendar does.
type withoutCalendar struct{ *list }

func (withoutCalendar) Changes(context.Context, string) (int, []byte, error) {
	return http.StatusNotFound, []byte("{}"), nil
}

// TestSiteWithoutCalendar checks that the events of a site without the calendar are gone until it has the
// calendar again.
func TestSiteWithoutCalendar(t *testing.T) {
	l := newList()
	has, lacks := &Site{Name: "7", Calendar: l}, &Site{Name: "7", Calendar: withoutCalendar{l}}
	site := newServed(*has)
	for _, c := range []struct {
		name, query string
		is          *Site
		want        int
	}{
		{"the whole list", "per_page=50", has, 200},
		{"a token of an empty list", "per_page=50&sync_token=none", has, 410},
		{"away: a token of before", "per_page=50&sync_token=1", nil, 410},
		{"away: a token of a page", "per_page=50&page_token=1-1-1", nil, 410},
		{"away: the whole list", "per_page=50", nil, 200},
		{"away: a token of an empty list", "per_page=50&sync_token=none", nil, 200},
		{"no calendar: a token of before", "per_page=50&sync_token=1", lacks, 410},
		{"no calendar: the whole list", "per_page=50", lacks, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			site.set(c.is)
			if status, body, err := site.Changes(t.Context(), c.query); err != nil || status != c.want {
				t.Errorf("status %d, %v: %s", status, err, body)
			}
		})
	}
}
