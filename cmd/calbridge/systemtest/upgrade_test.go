package systemtest

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sqlite"
	"calbridge/wpstore/wptest"
)

// synced is the outcome of fetching changes to the end.
type synced struct {
	status int
	reason string
	titles map[int]string // by id; "" for deleted ones
	token  string
}

// syncFrom fetches what has changed since a token, or the list for "".
func syncFrom(t *testing.T, api, token string) synced {
	t.Helper()
	name, out := "sync_token", synced{titles: map[int]string{}}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		target := api + "/wp-json/calendar/events/v1/events/changes?start_date=2020-01-01&per_page=50"
		if token != "" {
			target += "&" + name + "=" + token
		}
		resp, text := fetch(t, target)
		if resp.StatusCode == http.StatusServiceUnavailable {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		var body struct {
			Events []struct {
				ID    int
				Title string
			}
			PageToken string `json:"page_token"`
			SyncToken string `json:"sync_token"`
			Data      struct{ Reason string }
		}
		if err := json.Unmarshal([]byte(text), &body); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if out.status, out.reason = resp.StatusCode, body.Data.Reason; out.status != http.StatusOK {
			return out
		}
		for _, e := range body.Events {
			out.titles[e.ID] = e.Title
		}
		if out.token = body.SyncToken; out.token != "" {
			return out
		}
		name, token = "page_token", body.PageToken
	}
	t.Fatal("there is no end of changes")
	return out
}

// changeJournal runs statements on the journal in a state folder that no process uses.
func changeJournal(t *testing.T, state string, statements ...string) {
	t.Helper()
	connector, err := sqlite.NewConnector(filepath.Join(state, "journal", "journal.sqlite"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// TestUpgradeKeepsTokens checks that a client goes on with its token after another version has
// started, and gets what changed meanwhile. It begins again where the journal can't be read, and the
// log then names the reason.
func TestUpgradeKeepsTokens(t *testing.T) {
	const setFormat = "UPDATE meta SET value = '%d' WHERE name = 'format'"
	for name, c := range map[string]struct {
		before []string // what the other version left instead
		all    bool     // events are sent once more
		reason string
		log    string
	}{
		"the same version": {},
		"another version":  {before: []string{"UPDATE meta SET value = '0.0.1' WHERE name = 'shows'"}, all: true},
		"a build whose name was in the journal": {before: []string{
			fmt.Sprintf(setFormat, 4), "DELETE FROM meta WHERE name = 'shows'", "UPDATE meta SET value = 'of a build' WHERE name = 'site'",
		}, all: true},
		"0.1.0": {before: []string{
			fmt.Sprintf(setFormat, 3), "DELETE FROM meta WHERE name = 'shows'", "DROP TABLE posts", "UPDATE meta SET value = 'of a build' WHERE name = 'site'",
		}, reason: "foreign", log: "it has the old format 3; this calbridge reads the formats 4 to 5"},
		"a newer format": {before: []string{fmt.Sprintf(setFormat, 6), "DROP TABLE states"}, reason: "foreign",
			log: "a newer calbridge wrote it, in format 6; this one reads the formats 4 to 5"},
		"other settings": {before: []string{"UPDATE meta SET value = 'other' WHERE name = 'site'"}, reason: "foreign",
			log: "it belongs to another site, or to other settings"},
	} {
		t.Run(name, func(t *testing.T) {
			dsn, state := wptest.Replicated(t), filepath.Join(t.TempDir(), "state")
			site := newCoherentSite(t, dsn, 20)
			args := []string{"serve", "--dsn", dsn, "--extensions", "--state-dir", state, "--read-only", "--clock", "2026-11-21T12:00:00Z"}
			s := start(t, nil, args...)
			first := syncFrom(t, s.api, "")
			if first.status != http.StatusOK || len(first.titles) < 5 {
				t.Fatalf("the list: %+v", first)
			}
			var ids []int
			for id := range first.titles {
				ids = append(ids, id)
			}
			change := func(id int, title string) {
				t.Helper()
				if _, err := site.db.ExecContext(t.Context(), "UPDATE wp_posts SET post_title = ? WHERE ID = ?", title, id); err != nil {
					t.Fatal(err)
				}
			}
			change(ids[0], "Changed before")
			syncFrom(t, s.api, first.token) // the journal then has a place in the log
			s.stop()
			change(ids[1], "Changed meanwhile")
			changeJournal(t, state, c.before...)
			s = start(t, nil, args...)
			got := syncFrom(t, s.api, first.token)
			if c.reason != "" {
				if got.status != http.StatusGone || got.reason != c.reason || strings.Count(s.stderr.String(), c.log) != 1 {
					t.Errorf("%+v, want 410 with the reason %s and %q in the log:\n%s", got, c.reason, c.log, s.stderr)
				}
				if got = syncFrom(t, s.api, ""); got.status != http.StatusOK {
					t.Fatalf("from the beginning: %+v", got)
				}
			}
			want := 2
			if c.all || c.reason != "" {
				want = len(first.titles)
			}
			if got.titles[ids[0]] != "Changed before" || got.titles[ids[1]] != "Changed meanwhile" || len(got.titles) != want {
				t.Errorf("%+v, want %d events with two new titles", got, want)
			}
			change(ids[3], "Changed last")
			got = syncFrom(t, s.api, got.token)
			s.stop()
			s = start(t, nil, args...)
			change(ids[2], "Changed after")
			if got = syncFrom(t, s.api, got.token); len(got.titles) != 1 || got.titles[ids[2]] != "Changed after" {
				t.Errorf("after another start: %+v, want one event", got)
			}
		})
	}
}
