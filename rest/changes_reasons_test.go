package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
	"calbridge/wpstore/sqlconn"
)

// syncToken fetches a list to its end and returns the token.
func (w *journaledWorld) syncToken(args, as string) string {
	w.t.Helper()
	for page := ""; ; {
		a := w.do(ask{target: "events/changes?" + args + page, as: as})
		if a.status == http.StatusServiceUnavailable {
			continue
		}
		if a.status != http.StatusOK {
			w.t.Fatalf("%d %s", a.status, a.body)
		}
		if token := a.json("sync_token"); token != "" {
			return token
		}
		page = "&page_token=" + url.QueryEscape(a.json("page_token"))
	}
}

// TestWhyTokensAreRefused: 410 with each reason that a request alone can bring about.
func TestWhyTokensAreRefused(t *testing.T) {
	m := newMaker(1)
	posts := m.posts()
	m.file(posts)
	w, other := newJournaledWorld(t, posts), newJournaledWorld(t, posts)
	const args = "start_date=2000-01-01"
	token := w.syncToken(args, "")
	for _, c := range []struct {
		args, as, token, reason string
	}{
		{args, "", token, ""},
		{args + "&per_page=7", "", token, ""},
		{args, "", "x", "malformed"},
		{args, "", token[:len(token)-8], "foreign"},
		{args, "", other.syncToken(args, ""), "foreign"},
		{"start_date=2001-01-01", "", token, "arguments"},
		{args + "&status=draft,publish", "adela", w.syncToken(args+"&status=draft,publish", "edita"), "rights"},
		{args, "", w.syncToken(args, "adela"), "rights"},
	} {
		for _, name := range []string{"sync_token", "page_token"} {
			a := w.do(ask{target: "events/changes?" + c.args + "&" + name + "=" + url.QueryEscape(c.token), as: c.as})
			if c.reason == "" && a.status != http.StatusOK {
				t.Errorf("%s as %q: %d %s", c.args, c.as, a.status, a.body)
			}
			if c.reason != "" && (a.outcome() != "410 calbridge_sync_token_gone" || a.json("data.reason") != c.reason) {
				t.Errorf("%s as %q: %d %s, want %s", c.args, c.as, a.status, a.body, c.reason)
			}
		}
	}
	for _, c := range []struct {
		report func()
		reason string
	}{
		{func() { w.journal.Record(nil, true, nil) }, "site"},
		{func() { w.journal.Begin(true, nil) }, "gap"},
		{func() { w.journal.Record([]invalidation.Tag{{Kind: invalidation.Site}}, false, nil) }, ""},
	} {
		token := w.syncToken(args, "")
		c.report()
		a := w.do(ask{target: "events/changes?" + args + "&sync_token=" + url.QueryEscape(token)})
		if a.json("data.reason") != c.reason {
			t.Errorf("%d %s, want %q", a.status, a.body, c.reason)
		}
	}
}

// TestWhyTokensEnd: 410 with each reason that changes of the site bring about, and a reset with
// the same reason in the stream. Both go on from there.
func TestWhyTokensEnd(t *testing.T) {
	s := embeddedChangesSite(t, sqlconn.Config{}, true)
	base := serveStreams(t, s)
	s.exec("UPDATE wp_postmeta SET meta_value = '401' WHERE post_id = 101 AND meta_key = '_thumbnail_id'")
	restart := func(meanwhile func()) {
		s.stop()
		meanwhile()
		s.start()
	}
	title := func() { s.exec("UPDATE wp_posts SET post_title = post_title || '!' WHERE ID = 101") }
	for i, c := range []struct {
		what, more, as string
		do             func()
		reason         string
	}{
		{"an event", "", "", title, ""},
		{"a picture", "", "", func() { s.exec("UPDATE wp_posts SET post_title = 'Other' WHERE ID = 401") }, "shown"},
		{"a category's parent", "&categories=31", "", func() { s.exec("UPDATE wp_term_taxonomy SET parent = 0 WHERE term_id = 32") }, "filter"},
		{"as many posts as make a list", "", "", func() {
			tags := make([]invalidation.Tag, 20_001)
			for i := range tags {
				tags[i] = invalidation.Tag{Kind: invalidation.Post, ID: int64(1_000_000 + i)}
			}
			s.journal.Record(tags, false, nil)
		}, "many"},
		{"a role", "", "edita", func() {
			s.exec(`UPDATE wp_usermeta SET meta_value = 'a:1:{s:10:"subscriber";b:1;}' WHERE user_id = 2 AND meta_key = 'wp_capabilities'`)
		}, "rights"},
		{"an option", "", "", func() { s.exec("UPDATE wp_options SET option_value = 'Elsewhere' WHERE option_name = 'blogname'") }, "site"},
		{"the log", "", "", func() { restart(s.rows.forget) }, "gap"},
		{"the file", "", "", func() {
			restart(func() {
				if err := os.RemoveAll(s.dir); err != nil {
					t.Fatal(err)
				}
			})
		}, "foreign"},
		{"more than what is kept", "", "", func() {
			title()
			if err := s.rows.catchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, _ = s.journal.Settle(t.Context())
			s.late.Add(int64((keepEmbedded + time.Hour) / time.Second))
			for range 2 { // what is too old goes after a change is recorded
				title()
				if err := s.rows.catchUp(t.Context()); err != nil {
					t.Fatal(err)
				}
				_, _ = s.journal.Settle(t.Context())
			}
		}, "expired"},
		{"a draft with a date that is none", "", "", func() {
			s.exec("UPDATE wp_posts SET post_date = 'some day' WHERE ID = 108")
			if err := s.rows.catchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
		}, "undecided"},
	} {
		r := newSyncer(c.as, fmt.Sprintf("start_date=2020-01-%02d&per_page=50%s", 1+i, c.more)) // no list has its changes in memory
		r.finish(t, s)
		token := r.sync
		c.do()
		_, err := s.journal.CatchUp(t.Context()) // a reload may not be complete yet
		for err != nil {
			_, err = s.journal.CatchUp(t.Context())
		}
		a := s.do(ask{target: "events/changes?" + r.args + "&sync_token=" + url.QueryEscape(token), as: c.as})
		switch {
		case c.reason == "" && a.status != http.StatusOK:
			t.Errorf("%s: %d %s", c.what, a.status, a.body)
		case c.reason != "" && (a.outcome() != "410 calbridge_sync_token_gone" || a.json("data.reason") != c.reason || a.json("data.status") != "410"):
			t.Errorf("%s: %d %s, want %s", c.what, a.status, a.body, c.reason)
		}
		if c.as == "" { // streams ignore credentials
			f := &streamClient{t: t, base: base, args: r.args, last: token, copy: map[int64]string{}, resets: map[string]int{}, kinds: map[string]int{}}
			m := f.next()
			for ; m.data == ""; m = f.next() {
			}
			if want := fmt.Sprintf(`{"reason":"%s"}`, c.reason); c.reason != "" && (m.event != "reset" || m.data != want || m.id == "" || m.id == token) || c.reason == "" && m.event != "updated" {
				t.Errorf("%s: the stream has %+v, want %s", c.what, m, c.reason)
			}
			f.close()
		}
		if r.finish(t, s); (r.reasons[c.reason] == 0) != (c.reason == "") {
			t.Errorf("%s: %v", c.what, r.reasons)
		}
		if d := r.differs(s); d != "" {
			t.Errorf("%s: %s", c.what, d)
		}
	}
}

// TestWhyNothingIsKnown checks that a response 501 names what the site lacks, but no settings, and
// that there are no such routes without --extensions.
func TestWhyNothingIsKnown(t *testing.T) {
	for _, lacks := range []string{journal.LacksStateDir, journal.LacksBinaryLog, journal.LacksJournal} {
		s := newTestSite(t, func(c *Config) { c.Compat, c.Extensions, c.Changes = api.Safe, true, Changes{Lacks: lacks} })
		for _, target := range []string{"events/changes", "events/stream"} {
			a := s.get(target)
			if a.outcome() != "501 calbridge_no_changes" || a.json("data.reason") != lacks || strings.Contains(a.body, "--") || !json.Valid([]byte(a.body)) {
				t.Errorf("%s: %d %s, want %s", target, a.status, a.body, lacks)
			}
		}
	}
	s := newTestSite(t)
	for _, target := range []string{"events/changes", "events/stream"} {
		if a := s.get(target); a.status != http.StatusNotFound {
			t.Errorf("%s: %d", target, a.status)
		}
	}
}
