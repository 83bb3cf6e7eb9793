package systemtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// unionEvent is an event as a site's own list has it.
type unionEvent struct {
	start    string
	site, id int64
	raw      string
}

// asNetwork asks a process for an address of the network.
func asNetwork(t *testing.T, server *started, address string) (*http.Response, []byte) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.api+u.RequestURI(), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = u.Host
	req.Header.Set("X-Forwarded-Proto", u.Scheme)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%v\n%s", err, server.stderr)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}

// ownEvents returns the events of one site's own list.
func ownEvents(t *testing.T, server *started, api string, id int64, query string) (all []unionEvent) {
	t.Helper()
	for page := 1; ; page++ {
		resp, body := asNetwork(t, server, fmt.Sprintf("%s/events?%s&per_page=50&page=%d", api, query, page))
		if resp.StatusCode == http.StatusNotFound {
			return all
		}
		var list struct {
			Events     []json.RawMessage
			TotalPages int `json:"total_pages"`
		}
		if err := json.Unmarshal(body, &list); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %.200s %v", api, resp.StatusCode, body, err)
		}
		for _, raw := range list.Events {
			var e struct {
				ID    int64
				Start string `json:"utc_start_date"`
			}
			if err := json.Unmarshal(raw, &e); err != nil {
				t.Fatal(err)
			}
			all = append(all, unionEvent{e.Start, id, e.ID, string(raw)})
		}
		if page >= list.TotalPages {
			return all
		}
	}
}

// mergedEvents returns the events of sites' own lists in the order of the calendar over all of them.
func mergedEvents(t *testing.T, server *started, apis map[int64]string, query string) (all []unionEvent) {
	t.Helper()
	for id, api := range apis {
		all = append(all, ownEvents(t, server, api, id, query)...)
	}
	slices.SortFunc(all, func(a, b unionEvent) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.site, b.site), cmp.Compare(a.id, b.id))
	})
	return all
}

// TestNetworkUnion compares the calendar over all sites of the network with a merge of the sites' own
// lists: the same events, byte for byte, each with its site. Sites that aren't public, that are closed
// or that have no calendar are left out and counted.
func TestNetworkUnion(t *testing.T) {
	n := readNetwork(t)
	db := wptest.Site(t, "sqlite", "network")
	server := start(t, nil, "serve", "--network", "--wp-config", n.config(t), "--dsn", db.DSN, "--namespace", recording.DefaultNamespace,
		"--clock", db.Now().Format(time.RFC3339), "--request-timeout", "1m", "--extensions")
	const api = "/wp-json/" + recording.DefaultNamespace
	apis := map[int64]string{1: "https://sit.example" + api, 2: "https://sit.example/divadlo" + api, 7: "https://koncerty.example" + api}
	for _, query := range []string{"start_date=2020-01-01", "start_date=2026-11-21&end_date=2027-03-01", "start_date=2020-01-01&featured=true", "start_date=2020-01-01&search=a"} {
		t.Run(query, func(t *testing.T) {
			want := mergedEvents(t, server, apis, query)
			next, at := "https://sit.example/wp-json/calbridge/v1/network/events?per_page=7&"+query, 0
			for next != "" {
				resp, body := asNetwork(t, server, next)
				var page struct {
					Events  []json.RawMessage
					Next    string
					Missing int
					LeftOut struct {
						NotPublic int `json:"not_public"`
					} `json:"left_out"`
				}
				if err := json.Unmarshal(body, &page); err != nil || resp.StatusCode != http.StatusOK {
					t.Fatalf("%d %.300s %v", resp.StatusCode, body, err)
				}
				if page.Missing != 0 || page.LeftOut.NotPublic != 5 {
					t.Errorf("%d missing, %d not public; want none and 5", page.Missing, page.LeftOut.NotPublic)
				}
				for _, got := range page.Events {
					if at >= len(want) {
						t.Fatalf("more than %d events", len(want))
					}
					w := want[at]
					if prefix := strings.TrimSuffix(w.raw, "}") + fmt.Sprintf(`,"site":{"id":%d,`, w.site); !bytes.HasPrefix(got, []byte(prefix)) {
						t.Fatalf("event %d: %.300s\nwant %.300s", at, got, prefix)
					}
					at++
				}
				next = page.Next
			}
			if at != len(want) || len(want) == 0 {
				t.Errorf("%d events, want %d", at, len(want))
			}
		})
	}
	for _, c := range []struct{ path, kind, has string }{
		{"events.ics", "text/calendar", "BEGIN:VEVENT"}, {"events.json", "application/feed+json", `"_site"`},
	} {
		resp, body := asNetwork(t, server, "https://sit.example/wp-json/calbridge/v1/network/"+c.path)
		if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), c.kind) || !bytes.Contains(body, []byte(c.has)) {
			t.Errorf("%s: %d %v %.200s", c.path, resp.StatusCode, resp.Header, body)
		}
	}
	if resp, _ := asNetwork(t, server, "https://sit.example/divadlo/wp-json/calbridge/v1/network/events"); resp.StatusCode == http.StatusOK {
		t.Error("a site that is not the main one answers for the network")
	}
}

// TestUnionOfModeAuto checks that a site in mode auto takes part in the calendar over all sites once its
// lists are proven, with WordPress's own bytes, and that an event whose row has changed is missing until
// it was compared again.
func TestUnionOfModeAuto(t *testing.T) {
	if testing.Short() {
		t.Skip("proves for seconds")
	}
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 30)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	ref.broken.Store(&[2]string{`"hide_from_listings":false`, `"hide_from_listings":false,"dress":"black"`})
	file := filepath.Join(t.TempDir(), "sites.conf")
	text := fmt.Sprintf("[1]\naddress = https://main.example/\ndsn = sqlite:%s\nhome = https://main.example\n[2]\naddress = https://generated.example/\ndsn = %s\nmode = auto\nupstream = %s\nproof-comparisons = 3\nproof-time = 1s\nproof-without-companion = true\n", sampleFile(t), dsn, ref.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	server := start(t, nil, "serve", "--sites", file, "--clock", modesNow, "--extensions", "--request-timeout", "1m")
	apis := map[int64]string{1: "https://main.example/wp-json/calendar/events/v1", 2: "https://generated.example/wp-json/calendar/events/v1"}
	const query = "start_date=2020-01-01"
	// read returns the events of the calendar, and how many of the second site are missing; -1 if all are.
	read := func(perPage int) (events []string, missing int) {
		t.Helper()
		for next := fmt.Sprintf("https://main.example/wp-json/calbridge/v1/network/events?per_page=%d&%s", perPage, query); next != ""; {
			resp, body := asNetwork(t, server, next)
			var page struct {
				Events []json.RawMessage
				Next   string
				Sites  []struct {
					ID      int64
					Missing int
				}
				LeftOut struct {
					NotProven int `json:"not_proven"`
				} `json:"left_out"`
			}
			if err := json.Unmarshal(body, &page); err != nil || resp.StatusCode != http.StatusOK || len(page.Sites)+page.LeftOut.NotProven != 2 {
				t.Fatalf("%d %.300s %v", resp.StatusCode, body, err)
			}
			if page.LeftOut.NotProven > 0 {
				return nil, -1
			}
			missing += page.Sites[1].Missing
			for _, e := range page.Events {
				events = append(events, string(e))
			}
			next = page.Next
		}
		return events, missing
	}
	if _, missing := read(50); missing != -1 {
		t.Errorf("%d events are missing before anything is proven, want all", missing)
	}
	check := func(what string) {
		t.Helper()
		perPage := 5
		waitFor(t, func() bool { // a change arrives a moment after its commit
			perPage = 5 + (perPage+1)%20 // a proof takes different requests
			got, missing := read(perPage)
			want := mergedEvents(t, server, apis, query)
			return missing == 0 && slices.EqualFunc(got, want, func(event string, own unionEvent) bool {
				return strings.HasPrefix(event, strings.TrimSuffix(own.raw, "}")+fmt.Sprintf(`,"site":{"id":%d,`, own.site))
			})
		})
		if got, _ := read(perPage); !strings.Contains(strings.Join(got, ""), `"dress":"black"`) {
			t.Errorf("%s: no event has a plugin's field", what)
		}
	}
	check("proven")
	for range 3 {
		if _, err := site.db.Exec("UPDATE wp_posts SET post_title = CONCAT(post_title, '!') WHERE ID = ?", synthetic.FirstEvent+3); err != nil {
			t.Fatal(err)
		}
		if got, missing := read(50); missing < 0 || missing > 1 || len(got) == 0 {
			t.Errorf("%d events, %d are missing after a change of one", len(got), missing)
		}
		check("changed")
	}
}
