package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
)

// TestWritersAreRecognised: through an instance whose caches lack a write of another one,
// users and their browsers see it all the same; strangers may wait.
func TestWritersAreRecognised(t *testing.T) {
	const body = `{"venue":"Hall"}`
	if a := newTestSite(t).send("edita", "POST", "venues", body); a.status != http.StatusCreated || a.header.Get("Set-Cookie") != "" {
		t.Errorf("by default: %s, cookie %q", a.outcome(), a.header.Get("Set-Cookie"))
	}
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	asked, proof := 0, error(nil)
	s := newTestSite(t, func(c *Config) {
		c.Tracker, c.CacheBytes, c.Complete, c.SiteRefresh, c.OwnWrites = tracker, 32<<20, true, time.Hour, 9500*time.Millisecond
		c.CatchUpOwn = func(context.Context) error { asked++; return proof }
	})
	s.CacheRows(tracker, 32<<20)
	a := s.send("edita", "POST", "venues", body)
	if got, want := a.header.Get("Set-Cookie"), "calbridge_wrote=1; Path=/; Max-Age=10; HttpOnly; Secure; SameSite=Lax"; a.status != http.StatusCreated || got != want {
		t.Errorf("%s, cookie %q, want %q", a.outcome(), got, want)
	}
	for _, refused := range []answer{s.send("edita", "POST", "venues", `{}`), s.send("", "POST", "venues", body)} {
		if refused.status < 400 || refused.header.Get("Set-Cookie") != "" {
			t.Errorf("%s, cookie %q", refused.outcome(), refused.header.Get("Set-Cookie"))
		}
	}
	title := func(cookie, as string) string {
		t.Helper()
		req := ask{target: "events/101", as: as}
		if cookie != "" {
			req.header = http.Header{"Cookie": {cookie}}
		}
		return s.do(req).json("title")
	}
	const wrote = "other=1; calbridge_wrote=1"
	before := title("", "")
	s.exec("UPDATE wp_posts SET post_title = 'Elsewhere' WHERE ID = 101") // what the tracker lacks
	asked = 0
	if got := title("", ""); got != before || asked != 0 {
		t.Errorf("a stranger gets %q with %d proofs", got, asked)
	}
	proof = errors.New("too far behind")
	for what, got := range map[string]string{"the writer's browser": title(wrote, ""), "a user": title("", "edita")} {
		if got != "Elsewhere" {
			t.Errorf("%s gets %q", what, got)
		}
	}
	if asked != 2 {
		t.Errorf("%d proofs", asked)
	}
	proof = nil
	if got := title(wrote, ""); !strings.HasPrefix(got, before) { // proved: nothing has changed
		t.Errorf("proved: %q", got)
	}
}

func TestWritersExpire(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	w := &writers{now: func() time.Time { return now }, expiry: 6 * time.Second}
	if w.wroteLately("192.0.2.1") {
		t.Error("no client has written yet")
	}
	w.wrote("192.0.2.1")
	now = now.Add(6 * time.Second)
	if !w.wroteLately("192.0.2.1") || w.wroteLately("192.0.2.2") {
		t.Error("only the client that has written must count")
	}
	now = now.Add(time.Millisecond)
	if w.wroteLately("192.0.2.1") || len(w.until) != 0 {
		t.Error("a write is remembered for too long")
	}
	for i := range 3 * maxWriters {
		w.wrote(fmt.Sprint(i))
		if !w.wroteLately(fmt.Sprint(i)) || !w.wroteLately("0") {
			t.Fatal("a writer is forgotten among many")
		}
		if len(w.until) > maxWriters {
			t.Fatalf("%d addresses are in memory", len(w.until))
		}
	}
	now = now.Add(time.Minute)
	if w.wroteLately("0") || w.wroteLately("192.0.2.1") {
		t.Error("the crowd is remembered for too long")
	}
	for i := range maxWriters { // the old ones make room
		w.wrote(fmt.Sprint("again", i))
	}
	if w.all.After(now) {
		t.Error("a crowd of the past counts")
	}
}
