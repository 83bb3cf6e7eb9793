package systemtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/compat/recording"
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
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}

// ownEvents returns the events of one site's own list.
func ownEvents(t *testing.T, server *started, home string, id int64, query string) (all []unionEvent) {
	t.Helper()
	for page := 1; ; page++ {
		resp, body := asNetwork(t, server, fmt.Sprintf("%s/wp-json/%s/events?%s&per_page=50&page=%d", home, recording.DefaultNamespace, query, page))
		if resp.StatusCode == http.StatusNotFound {
			return all
		}
		var list struct {
			Events     []json.RawMessage
			TotalPages int `json:"total_pages"`
		}
		if err := json.Unmarshal(body, &list); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %.200s %v", home, resp.StatusCode, body, err)
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

// TestNetworkUnion compares the calendar over all sites of the network with a merge of the sites' own
// lists: the same events, byte for byte, each with its site. Sites that aren't public, that are closed
// or that have no calendar are left out and counted.
func TestNetworkUnion(t *testing.T) {
	n := readNetwork(t)
	db := wptest.Site(t, "sqlite", "network")
	server := start(t, nil, "serve", "--network", "--wp-config", n.config(t), "--dsn", db.DSN, "--namespace", recording.DefaultNamespace,
		"--clock", db.Now().Format(time.RFC3339), "--request-timeout", "1m", "--extensions")
	homes := map[int64]string{1: "https://sit.example", 2: "https://sit.example/divadlo", 7: "https://koncerty.example"}
	for _, query := range []string{"start_date=2020-01-01", "start_date=2026-11-21&end_date=2027-03-01", "start_date=2020-01-01&featured=true", "start_date=2020-01-01&search=a"} {
		t.Run(query, func(t *testing.T) {
			var want []unionEvent
			for id, home := range homes {
				want = append(want, ownEvents(t, server, home, id, query)...)
			}
			slices.SortFunc(want, func(a, b unionEvent) int {
				return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.site, b.site), cmp.Compare(a.id, b.id))
			})
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
