package rest

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

// strictSite caches under strict: the proof, unless it fails, brings the changes of the
// sets and rows that were changed by SQL to the tracker, as the change feed does.
type strictSite struct {
	*testSite
	behind []invalidation.Tag // changed, but not in the tracker yet
	failed error              // the proof
}

func newStrictSite(t *testing.T) *strictSite {
	s := &strictSite{}
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	s.testSite = newTestSite(t, func(c *Config) {
		c.Tracker, c.CacheBytes, c.Complete, c.SiteRefresh = tracker, 32<<20, true, time.Hour
		c.CatchUp = func(context.Context) error {
			if s.failed == nil {
				tracker.Invalidate(s.behind...)
				s.behind = nil
			}
			return s.failed
		}
	})
	s.CacheRows(tracker, 32<<20)
	return s
}

// TestOptionsAreProved: a write uses the site's options as they were when it came, and so
// does every request whose proof fails.
func TestOptionsAreProved(t *testing.T) {
	s := newStrictSite(t)
	const body = `{"title":"Dance","start_date":"2027-01-10 10:00:00","end_date":"2027-01-10 11:00:00"}`
	zone := func(name string) {
		s.setOption("timezone_string", name)
		s.behind = append(s.behind, invalidation.Tag{Kind: invalidation.Site})
	}
	for _, c := range []struct {
		zone, utc string
		failed    error
	}{
		{"Europe/Prague", "2027-01-10 09:00:00", nil},
		{"America/New_York", "2027-01-10 15:00:00", nil},
		{"Asia/Tokyo", "2027-01-10 01:00:00", errors.New("too far behind")},
		{"UTC", "2027-01-10 10:00:00", errors.New("too far behind")},
	} {
		s.failed = c.failed
		zone(c.zone)
		if a := s.send("edita", "POST", "events", body); a.status != http.StatusCreated || a.json("utc_start_date") != c.utc {
			t.Errorf("%s, proof %v: %s, %s, want %s", c.zone, c.failed, a.outcome(), a.json("utc_start_date"), c.utc)
		}
	}
	s.get("venues")
	s.setOption("posts_per_page", "1")
	if a := s.get("venues"); a.json("venues.1") != "" {
		t.Error("a read whose proof failed used old options")
	}
}

// TestUnprovedOptionsAreShared: of many requests without proof that wait for the options,
// few read them.
func TestUnprovedOptionsAreShared(t *testing.T) {
	s := newStrictSite(t)
	s.get("")
	s.failed = errors.New("too far behind")
	load, loads := s.srv.sites.load, 0
	release := make(chan struct{})
	s.srv.sites.load = func(ctx context.Context, store *sitedb.Session) (*liveSite, error) {
		loads++ // one at a time
		<-release
		return load(ctx, store)
	}
	var clients sync.WaitGroup
	for range 50 {
		clients.Go(func() {
			if _, err := s.srv.sites.get(t.Context(), s.DB.Session(nil), false); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(50 * time.Millisecond) // most wait now
	close(release)
	clients.Wait()
	if loads > 25 {
		t.Errorf("%d of 50 requests read the options", loads)
	}
}

// TestUsersFollowTheFeed: who a client is and what it may do comes from memory until the
// change feed says otherwise, however long --site-refresh is.
func TestUsersFollowTheFeed(t *testing.T) {
	s := newStrictSite(t)
	tomorrow := testNow.Add(24 * time.Hour)
	header := http.Header{"Cookie": {loginCookie("edita", tomorrow)}, "X-Wp-Nonce": {restNonce(2, sessionToken, testNow)}}
	changed := func(tags ...invalidation.Tag) { s.behind = append(s.behind, tags...) }
	edita := invalidation.Tag{Kind: invalidation.User, ID: 2}
	check := func(what string, a ask, want string) {
		t.Helper()
		a.target = "events"
		if got := s.do(a).outcome(); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	check("before the login", ask{header: header}, "403 rest_cookie_invalid_nonce")
	s.addSession(2, tomorrow)
	changed(edita)
	check("logged in", ask{header: header}, "200")
	before := s.seen.Queries
	check("again", ask{header: header}, "200")
	if s.seen.Queries > before {
		t.Errorf("%d statements, then %d", before, s.seen.Queries)
	}
	s.exec("DELETE FROM wp_usermeta WHERE user_id = 2 AND meta_key = 'session_tokens'")
	changed(edita)
	check("logged out", ask{header: header}, "403 rest_cookie_invalid_nonce")

	check("password", ask{as: "edita"}, "200")
	s.exec("DELETE FROM wp_usermeta WHERE user_id = 2 AND meta_key = '_application_passwords'")
	changed(edita)
	check("password revoked", ask{as: "edita"}, "401 incorrect_password")

	check("nobody", ask{as: "nova"}, "401 invalid_username")
	s.addUser(77, "nova", "editor")
	changed(invalidation.Tag{Kind: invalidation.User, ID: 77}, invalidation.Tag{Kind: invalidation.Users})
	check("registered", ask{as: "nova"}, "200")
	s.failed = errors.New("too far behind")
	s.exec("DELETE FROM wp_usermeta WHERE user_id = 77 AND meta_key = '_application_passwords'")
	check("revoked, without proof", ask{as: "nova"}, "401 incorrect_password")

	s.failed = nil
	s.addUser(78, "petr", "contributor")
	changed(invalidation.Tag{Kind: invalidation.User, ID: 78}, invalidation.Tag{Kind: invalidation.Users})
	publish := func() string {
		return s.send("petr", "POST", "events", `{"title":"x","start_date":"2027-01-10","end_date":"2027-01-10","status":"publish"}`).json("status")
	}
	if got := publish(); got == "publish" {
		t.Fatal("a contributor publishes")
	}
	roles := testRoles()
	roles.SetString("contributor", roles.At("editor"))
	s.setOption("wp_user_roles", roles)
	changed(invalidation.Tag{Kind: invalidation.Site})
	if got := publish(); got != "publish" {
		t.Errorf("role changed: %s", got)
	}
}
