package systemtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/wpstore/wptest"
)

// unionPath is the address of the calendar over all sites of the recorded network.
const unionPath = "https://sit.example/wp-json/calbridge/v1/network/events"

// unionEntry is an event of the calendar over all sites, or an entry that removes one or those of a site.
type unionEntry struct {
	ID      int64
	Deleted bool
	Site    struct{ ID int64 }
}

// unionCopy is a client that only applies what it is sent.
type unionCopy struct {
	t      *testing.T
	events map[[2]int64]string
	token  string
	// applied counts the entries, and sites those of which there were events.
	applied int
	sites   map[int64]bool
}

func newUnionCopy(t *testing.T) *unionCopy {
	return &unionCopy{t: t, events: map[[2]int64]string{}, sites: map[int64]bool{}}
}

// apply stores or removes what an entry says.
func (c *unionCopy) apply(raw []byte) {
	c.t.Helper()
	var e unionEntry
	if err := json.Unmarshal(raw, &e); err != nil || e.Site.ID == 0 {
		c.t.Fatalf("%s: %v", raw, err)
	}
	c.applied++
	c.sites[e.Site.ID] = true
	key := [2]int64{e.Site.ID, e.ID}
	switch {
	case e.Deleted && e.ID == 0:
		maps.DeleteFunc(c.events, func(k [2]int64, _ string) bool { return k[0] == e.Site.ID })
	case e.Deleted:
		delete(c.events, key)
	default:
		c.events[key] = string(raw)
	}
}

// sync applies all changes. It returns the number of sites that are missing.
func (c *unionCopy) sync(server *started, query string) (missing int) {
	c.t.Helper()
	for name := "sync_token"; ; {
		address := unionPath + "/changes?" + query
		if c.token != "" {
			address += "&" + name + "=" + url.QueryEscape(c.token)
		}
		resp, body := asNetwork(c.t, server, address)
		var page struct {
			Events    []json.RawMessage
			PageToken string `json:"page_token"`
			SyncToken string `json:"sync_token"`
			Missing   int
		}
		if err := json.Unmarshal(body, &page); err != nil || resp.StatusCode != http.StatusOK {
			c.t.Fatalf("%d %.300s %v", resp.StatusCode, body, err)
		}
		for _, raw := range page.Events {
			c.apply(raw)
		}
		if c.token, name = page.PageToken, "page_token"; c.token == "" {
			c.token = page.SyncToken
			return page.Missing
		}
	}
}

// unionNow returns the events of the calendar over all sites. It asks again while a site is missing, such as one
// that is being opened.
func unionNow(t *testing.T, server *started, query string) map[[2]int64]string {
	t.Helper()
	all, deadline := newUnionCopy(t), time.Now().Add(30*time.Second)
	for next := unionPath + "?per_page=100&" + query; next != ""; {
		resp, body := asNetwork(t, server, next)
		var page struct {
			Events  []json.RawMessage
			Next    string
			Missing int
		}
		if err := json.Unmarshal(body, &page); err != nil || resp.StatusCode != http.StatusOK || page.Missing > 0 && time.Now().After(deadline) {
			t.Fatalf("%d %.300s %v, %d sites are missing", resp.StatusCode, body, err, page.Missing)
		}
		if page.Missing > 0 {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		for _, raw := range page.Events {
			all.apply(raw)
		}
		next = page.Next
	}
	return all.events
}

// writeSomewhere changes something of a random site of the recorded network.
func writeSomewhere(r *rand.Rand) string {
	prefix := []string{"wp_", "wp_2_", "wp_7_"}[r.IntN(3)]
	event := fmt.Sprintf("post_type = 'tribe_events' AND MOD(ID, 7) = %d", r.IntN(7))
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("UPDATE wp_blogs SET archived = 1 - archived WHERE blog_id = %d", []int{2, 7}[r.IntN(2)])
	case 1:
		return "UPDATE wp_7_options SET option_value = 1 - option_value WHERE option_name = 'blog_public'"
	case 2, 3:
		return "UPDATE " + prefix + "posts SET post_status = 'draft' WHERE post_status = 'publish' AND " + event
	case 4, 5:
		return "UPDATE " + prefix + "posts SET post_status = 'publish' WHERE post_status = 'draft' AND " + event
	}
	return fmt.Sprintf("UPDATE "+prefix+"posts SET post_title = CONCAT(LEFT(post_title, 20), ' %d') WHERE "+event, r.IntN(1000))
}

// unionArgs returns the arguments for serving the recorded network with changes.
func unionArgs(t *testing.T, n *network, db wptest.Database) []string {
	t.Helper()
	return []string{"serve", "--network", "--wp-config", n.config(t), "--dsn", db.DSN, "--namespace", recording.DefaultNamespace,
		"--clock", db.Now().Format(time.RFC3339), "--request-timeout", "1m", "--extensions", "--state-dir", filepath.Join(t.TempDir(), "state")}
}

// TestNetworkChanges checks that a client that only applies changes has the events that the calendar over all
// sites shows, after writes on any site, after sites were archived and hidden and came back, and after restarts.
func TestNetworkChanges(t *testing.T) {
	oneAtATime(t)
	n, db := readNetwork(t), wptest.ReplicatedSite(t, "network")
	args := unionArgs(t, n, db)
	server := start(t, nil, args...)
	store := openStore(t, db)
	const query = "start_date=2020-01-01&per_page=20"
	c := newUnionCopy(t)
	check := func(after string) {
		t.Helper()
		var want map[[2]int64]string
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			want = unionNow(t, server, "start_date=2020-01-01")
			if c.sync(server, query) == 0 && maps.Equal(c.events, want) {
				return
			}
			if time.Now().After(deadline) {
				break
			}
		}
		for key, event := range want {
			if c.events[key] != event {
				t.Errorf("%v: %.200s\nwant %.200s", key, c.events[key], event)
			}
		}
		t.Fatalf("after %s: %d events, want %d", after, len(c.events), len(want))
	}
	check("the start")
	r := rand.New(rand.NewPCG(35, 3))
	for i := range 40 {
		var did []string
		for range 1 + r.IntN(3) {
			statement := writeSomewhere(r)
			if _, err := store.SQL().Exec(statement); err != nil {
				t.Fatal(err)
			}
			did = append(did, statement)
			if r.IntN(2) == 0 {
				c.sync(server, query)
			}
		}
		if i%20 == 10 {
			check(strings.Join(did, "; "))
			before := c.applied
			server.stop()
			server = start(t, nil, args...)
			did = []string{"a restart"}
			if check(did[0]); c.applied > before {
				t.Errorf("%d entries are sent again after a restart", c.applied-before)
			}
		}
		check(strings.Join(did, "; "))
	}
	if len(c.sites) != 3 {
		t.Errorf("events of the sites %v", c.sites)
	}
}
