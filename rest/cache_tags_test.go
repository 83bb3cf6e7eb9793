package rest

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/cachetag"
	"calbridge/wpstore/invalidation"
)

// TestTagsNameWhatIsShown changes each post, term and user, and some of their metadata. Each response of
// each route that this changes must name the changed object itself. Sets, such as all events, don't
// count, but for lists of terms. The response of the server with caches tells the names.
func TestTagsNameWhatIsShown(t *testing.T) {
	oneAtATime(t)
	policy := &cachetag.Policy{Formats: []cachetag.Format{cachetag.XKey}}
	s, _ := cachingSite(t, func(c *Config) { c.Compat, c.CacheTags, c.Extensions = api.Safe, policy, true })
	cfg := s.cfg
	cfg.Caching = Caching{}
	plain := New(s.DB, cfg)
	t.Cleanup(plain.Close)
	render := func(target string) string {
		w := httptest.NewRecorder()
		plain.ServeHTTP(w, s.request(ask{target: target}))
		return w.Body.String()
	}
	type page struct {
		target, before string
		names          []string
	}
	var pages []page
	for _, target := range cachedTargets {
		first := s.do(ask{target: target})
		names := strings.Fields(first.header.Get("Xkey"))
		switch exports := strings.Contains(target, "ical=1"); {
		case first.status != http.StatusOK || exports: // never stored
			if len(names) > 0 {
				t.Errorf("%s: status %d has tags", target, first.status)
			}
			continue
		case len(names) == 0:
			t.Errorf("%s has no tags", target)
			continue
		}
		pages = append(pages, page{target, render(target), names})
	}
	changed := map[invalidation.Kind]int{}
	check := func(kind invalidation.Kind, id int64, change, restore string) {
		s.exec(change)
		tags := []invalidation.Tag{{Kind: kind, ID: id}}
		if kind == invalidation.Term { // lists of terms are as long as all terms
			tags = append(tags, invalidation.Tag{Kind: invalidation.Terms})
		}
		purged := policy.Purged(tags)
		for _, p := range pages {
			if render(p.target) == p.before {
				continue
			}
			changed[kind]++
			if !slices.ContainsFunc(purged, func(name string) bool { return slices.Contains(p.names, name) }) {
				t.Errorf("%s shows what %q changes, but has the tags %q only", p.target, change, p.names)
			}
		}
		s.exec(restore)
	}
	for _, table := range []struct {
		kind                     invalidation.Kind
		table, id, column, where string
	}{
		{invalidation.Post, "wp_posts", "ID", "post_title", "1=1"}, {invalidation.Post, "wp_posts", "ID", "post_content", "1=1"}, {invalidation.Post, "wp_posts", "ID", "post_name", "1=1"},
		{invalidation.Post, "wp_postmeta", "post_id", "meta_value", "meta_key IN ('_VenueAddress', '_OrganizerPhone', '_EventURL', '_EventCurrencySymbol', '_wp_attached_file', '_wp_attachment_image_alt')"},
		{invalidation.Term, "wp_terms", "term_id", "name", "1=1"}, {invalidation.Term, "wp_term_taxonomy", "term_id", "description", "1=1"},
		{invalidation.User, "wp_users", "ID", "display_name", "1=1"},
	} {
		ids, err := s.SQL().Query(fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %s", table.id, table.table, table.where))
		if err != nil {
			t.Fatal(err)
		}
		var all []int64
		for ids.Next() {
			var id int64
			if err := ids.Scan(&id); err != nil {
				t.Fatal(err)
			}
			all = append(all, id)
		}
		ids.Close()
		for _, id := range all {
			where := fmt.Sprintf("WHERE %s = %d AND %s", table.id, id, table.where)
			check(table.kind, id, fmt.Sprintf("UPDATE %s SET %s = %s || '~' %s", table.table, table.column, table.column, where),
				fmt.Sprintf("UPDATE %s SET %s = substr(%s, 1, length(%s) - 1) %s", table.table, table.column, table.column, table.column, where))
		}
	}
	if changed[invalidation.Post] < 50 || changed[invalidation.Term] < 10 {
		t.Errorf("hardly anything changed: %v", changed)
	}
	t.Logf("%d responses; changes of objects were visible %v times", len(pages), changed)
}

// holds is a decision that stands or not.
type holds bool

// Holds implements the interface of api.Storing.
func (h holds) Holds() bool { return bool(h) }

// ruled adds a header to a response, as mode auto does if WordPress always sends it.
type ruled struct{ http.ResponseWriter }

func (w *ruled) WriteHeader(status int) {
	w.Header().Set("Surrogate-Control", "max-age=1000000")
	w.ResponseWriter.WriteHeader(status)
}

func (w *ruled) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// TestStoredResponses checks what shared caches may store: only what is still fresh when its headers
// are written.
func TestStoredResponses(t *testing.T) {
	policy := &cachetag.Policy{Formats: []cachetag.Format{cachetag.XKey}, MaxAge: time.Hour}
	s, tracker := cachingSite(t, func(c *Config) { c.Compat, c.CacheTags = api.Safe, policy })
	guarded := policy.Guard(s.srv)
	get := func(target string, header ...string) http.Header {
		r := s.request(ask{target: target})
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, r)
		return w.Header()
	}
	const stored = "max-age=0, must-revalidate, s-maxage=3600"
	for range 2 { // built, and from the response cache
		if h := get("events/101"); h.Get("Cache-Control") != stored || !strings.Contains(h.Get("Xkey"), "p101") {
			t.Errorf("events/101: %v", h)
		}
	}
	etag := get("events/101").Get("Etag")
	if h := get("events/101", "If-None-Match", etag); h.Get("Cache-Control") != stored || h.Get("Xkey") == "" {
		t.Errorf("304: %v", h)
	}
	for name, h := range map[string]http.Header{
		"refusal": get("events/99999"), "Origin": get("events/101", "Origin", "https://a.example"), "login": get("events/101", "Authorization", "Basic eDp5"),
		"other method": get("events/101", "X-Http-Method-Override", "POST"), "export": get("/events/?ical=1"),
	} {
		if control := h.Get("Cache-Control"); !strings.Contains(control, "private") && !strings.Contains(control, "no-store") || h.Get("Xkey") != "" {
			t.Errorf("%s: %v", name, h)
		}
	}
	t.Run("changed before the headers", func(t *testing.T) {
		answered := s.srv.Answer(nil, s.request(ask{target: "events/101"}))
		defer answered.Close()
		tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 101})
		w := httptest.NewRecorder()
		policy.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answered.Send(w) })).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		if h := w.Header(); h.Get("Cache-Control") != "no-store" || h.Get("Xkey") != "" {
			t.Errorf("%v", h)
		}
	})
	t.Run("because WordPress answers the same", func(t *testing.T) {
		tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 101}) // a response has the same names each time
		const tenMinutes = "max-age=0, must-revalidate, s-maxage=598"
		for _, c := range []struct {
			name, want string
			limit      api.Storing
			body       string
		}{
			{"for long", stored, api.Storing{Age: math.MaxInt64, Holds: holds(true)}, ""},
			{"for ten minutes", tenMinutes, api.Storing{Age: 10 * time.Minute, Holds: holds(true)}, ""},
			{"with WordPress's objects", tenMinutes, api.Storing{Age: 10 * time.Minute, Holds: holds(true)}, `{"id":101}`},
			{"due to be compared", "private, no-cache", api.Storing{Age: -time.Minute, Holds: holds(true)}, ""},
			{"a difference was found before the headers", "no-store", api.Storing{Age: time.Hour, Holds: holds(false)}, ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				answered := s.srv.Answer(nil, s.request(ask{target: "events/101"}))
				defer answered.Close()
				if c.body != "" {
					answered.Replace([]byte(c.body))
				}
				answered.Limit(c.limit)
				w := httptest.NewRecorder()
				policy.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answered.Send(&ruled{w}) })).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
				names, tagged := strings.Fields(w.Header().Get("Xkey")), strings.Contains(c.want, "s-maxage")
				if got := w.Header().Get("Cache-Control"); got != c.want || w.Header().Get("Surrogate-Control") != "" {
					t.Errorf("%q, want %q: %v", got, c.want, w.Header())
				}
				if slices.Contains(names, "parity") != tagged || slices.Contains(names, "p101") != tagged || c.body != "" && w.Body.String() != c.body {
					t.Errorf("%q; %s", names, w.Body)
				}
			})
		}
	})
	t.Run("changes don't arrive", func(t *testing.T) {
		tracker.Suspend()
		if h := get("events/102"); h.Get("Xkey") != "" {
			t.Errorf("%v", h)
		}
	})
}
