package render

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/calendar"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestCachedEventIsUsed puts other bytes into the cache: they are what is shown, to
// those alone whom it is for.
func TestCachedEventIsUsed(t *testing.T) {
	store := testStore(t)
	shared := NewShared("calendar/events/v1", 1<<20, &phpjson.Buffers{})
	facts, err := store.Session(nil).Options.SiteFacts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	site := wpsite.NewBuilder(&wpsite.Settings{RESTPrefix: "wp-json", Theme: wptext.TwentyTwentyFive()}).Site(facts)
	place := site.Place(true)
	render := func(user *wpcap.User) (string, *Renderer, *Set) {
		viewer := &authz.Viewer{User: user, Site: site}
		session := store.Session(nil)
		stores := calendar.Stores{Posts: &session.Posts, Tickets: &session.Tickets}
		r := shared.For(&place, viewer, &api.Clock{At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}, stores)
		set, err := r.LoadEvents(t.Context(), []int64{101}, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := r.NewWriter()
		r.Event(w, set, set.Post(101), true)
		return string(r.Result(w).Body), r, set
	}

	if shown, _, _ := render(wpcap.Anonymous()); !strings.Contains(shown, "Brno") {
		t.Fatalf("without its venue: %s", shown)
	}
	_, r, fresh := render(wpcap.Anonymous())
	fresh = r.add(fresh.rows) // as before the event was written
	key, ok := keyOf(r.writer(nil, fresh), r.loader, fresh.Post(101), true)
	e, found := shared.events.rendered.GetIfPresent(key)
	if !ok || !found {
		t.Fatal("the event is not in the cache")
	}
	e.json = bytes.Replace(e.json, []byte(`"id":101`), []byte(`"id":"cached"`), 1)
	shared.events.rendered.Set(key, e)
	if shown, _, _ := render(wpcap.Anonymous()); !strings.Contains(shown, `"id":"cached"`) {
		t.Errorf("rendered again: %.100s", shown)
	}
	if shown, _, _ := render(&wpcap.User{ID: 1}); strings.Contains(shown, `"id":"cached"`) {
		t.Error("a user got what is cached for others")
	}
	if _, err := store.SQL().Exec("UPDATE wp_postmeta SET meta_value = 'Praha' WHERE meta_key = '_VenueCity'"); err != nil {
		t.Fatal(err)
	}
	if shown, _, _ := render(wpcap.Anonymous()); strings.Contains(shown, `"id":"cached"`) || !strings.Contains(shown, "Praha") {
		t.Errorf("the change of a venue does not show: %.100s", shown)
	}
}

// testStore returns a site with event 101 at venue 201.
func testStore(t *testing.T) *sitedb.DB {
	t.Helper()
	store, err := sitedb.Open(context.Background(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if err := store.CreateSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	insert := func(table string, row map[string]any) { wptest.Insert(t, store.SQL(), store.Table(table), row) }
	for _, name := range []string{"home", "siteurl"} {
		insert("options", map[string]any{"option_name": name, "option_value": "https://village.example"})
	}
	for id, kind := range map[int64]*api.PostKind{101: api.Events, 201: api.Venues} {
		insert("posts", map[string]any{"ID": id, "post_type": kind.PostType, "post_status": "publish", "post_title": "Dance", "post_name": "dance"})
	}
	for _, m := range []struct {
		post       int64
		key, value string
	}{
		{101, "_EventStartDate", "2026-11-21 19:00:00"}, {101, "_EventEndDate", "2026-11-21 22:00:00"}, {101, "_EventStartDateUTC", "2026-11-21 18:00:00"},
		{101, "_EventEndDateUTC", "2026-11-21 21:00:00"}, {101, "_EventTimezone", "Europe/Prague"}, {101, "_EventVenueID", "201"}, {201, "_VenueCity", "Brno"},
	} {
		insert("postmeta", map[string]any{"post_id": m.post, "meta_key": m.key, "meta_value": m.value})
	}
	return store
}

// TestEventCacheWeight: the weight of cached events is the memory that they take.
func TestEventCacheWeight(t *testing.T) {
	text := &wptext.Site{}
	json := bytes.Repeat([]byte("x"), 6500)
	for name, c := range map[string]struct {
		many   uint64
		length int
	}{
		"short events": {12_000, 700},
		"events":       {3000, len(json)},
	} {
		t.Run(name, func(t *testing.T) {
			before := wptest.LiveHeap()
			s := NewShared("calendar/events/v1", 1<<30, nil)
			for i := range c.many {
				s.events.rendered.Set(eventKey{text: text, rows: wpstore.Digest{i, i}}, renderedEvent{json: bytes.Clone(json[:c.length])})
			}
			took, said := wptest.LiveHeap()-before, float64(s.Bytes())
			t.Logf("each takes %.0f bytes, said to take %.0f", took/float64(c.many), said/float64(c.many))
			if ratio := took / said; ratio < 0.85 || ratio > 1.15 {
				t.Errorf("%.0f bytes are said to be %.0f", took, said)
			}
		})
	}
}
