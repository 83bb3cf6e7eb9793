package systemtest

import (
	"net/http"
	"strings"
	"testing"
)

// TestSearchIndexSize checks that searches read only candidates, unless the setting turns the search index
// off, and that metrics show both.
func TestSearchIndexSize(t *testing.T) {
	if testing.Short() {
		t.Skip("generates a calendar on MariaDB")
	}
	const events, search = 300, "/wp-json/calendar/events/v1/events?search=%C4%8D%C3%ADslo+277&start_date=2000-01-01"
	database := soakDatabase(t, events)
	for _, test := range []struct {
		name, size, from string
		indexed          bool
	}{
		{"on", "16MiB", "index", true},
		{"off", "0", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := spawn(t, nil, "serve", "--dsn", database.DSN, "--search-index-size", test.size)
			waitFor(t, func() bool {
				return c.metric("calbridge_listing_dates") > 0 && (!test.indexed || c.metric("calbridge_search_index_posts") >= events)
			})
			if got := c.metric("calbridge_search_index_bytes"); (got > 0) != test.indexed {
				t.Errorf("the search index has %v bytes", got)
			}
			if resp, body := fetch(t, c.api+search); resp.StatusCode != http.StatusOK || !strings.Contains(body, `"total":1,`) {
				t.Errorf("%s: %.300s", resp.Status, body)
			}
			if got := c.metric(`calbridge_searches_total{from="index"}`); (got > 0) != test.indexed {
				t.Errorf("%v searches were narrowed", got)
			}
		})
	}
}
