package systemtest

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"calbridge/compat/recording"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

var uidLine = regexp.MustCompile(`(?m)^UID:[^\r\n]*(?:\r\n [^\r\n]*)*\?id=(\d+)`)

// TestOwnFeedsOfSites checks on the recorded sites, in each language by its root and by the
// argument, that a complete feed has the events of all pages of the list except protected
// ones, and cancelled events from the trash.
func TestOwnFeedsOfSites(t *testing.T) {
	testdata.Shared(t)
	for _, site := range []string{"mono", "poly", "wpml"} {
		for _, engine := range replayEngines() {
			t.Run(site+"/"+engine, func(t *testing.T) {
				t.Parallel()
				db := wptest.Site(t, engine, site)
				store := openStore(t, db)
				url := serveStore(t, store, site, db.Now, nil, func(c *rest.Config) { c.Compat, c.Extensions = api.Safe, true })
				protected := protectedEvents(t, store.SQL(), db.TablePrefix)
				languages := map[string]string{}
				for _, place := range []struct{ root, argument string }{{"", ""}, {"/en", ""}, {"/de", ""}, {"", "&wpml_language=en"}, {"", "&wpml_language=de"}, {"", "&wpml_language=cs"}} {
					base := url + place.root + "/wp-json/" + recording.DefaultNamespace + "/"
					res, body := fetch(t, base+"events.ics?"+place.argument, "X-Forwarded-Proto", "https")
					status := res.StatusCode
					listed := listedEvents(t, base+"events?per_page=50&start_date=1000-01-01&end_date=9999-12-31"+place.argument, protected)
					if site == "mono" && place.root != "" { // this site has no such root
						if status != http.StatusNotFound {
							t.Errorf("%s: status %d", base, status)
						}
						continue
					}
					var found []string
					for event := range strings.SplitSeq(body, "BEGIN:VEVENT\r\n") {
						uid := uidLine.FindStringSubmatch(event)
						if uid != nil && !strings.Contains(event, "STATUS:CANCELLED\r\n") { // the event is in the trash
							found = append(found, uid[1])
						}
					}
					slices.Sort(found)
					if status != http.StatusOK || len(found) == 0 || !slices.Equal(found, listed) {
						t.Errorf("%v: status %d, %d events in the feed, %d listed: %v, %v", place, status, len(found), len(listed), found, listed)
					}
					languages[place.root+place.argument] = fmt.Sprint(found)
				}
				if site != "mono" && (languages["/en"] == languages["/de"] || languages["/en"] != languages["&wpml_language=en"] || languages["/de"] != languages["&wpml_language=de"]) {
					t.Error("the languages are not told apart, or root and argument differ")
				}
			})
		}
	}
}

// listedEvent is an event of a list.
type listedEvent struct {
	ID     int
	Title  string
	AllDay bool   `json:"all_day"`
	Start  string `json:"start_date"`
	End    string `json:"end_date"`
}

// readPages returns the events on all pages of a list, and the status of the last page read: 200, or that of
// the page at which it stopped.
func readPages(t *testing.T, list string, header ...string) (all []listedEvent, status int) {
	t.Helper()
	for page := 1; ; page++ {
		res, body := fetch(t, fmt.Sprint(list, "&page=", page), header...)
		if res.StatusCode != http.StatusOK {
			return all, res.StatusCode
		}
		var read struct {
			Events     []listedEvent
			TotalPages int `json:"total_pages"`
		}
		if err := json.Unmarshal([]byte(body), &read); err != nil {
			t.Fatal(err)
		}
		all = append(all, read.Events...)
		if page >= read.TotalPages {
			return all, http.StatusOK
		}
	}
}

// listedEvents returns the ids on all pages of a list, except those in without.
func listedEvents(t *testing.T, url string, without []string) (ids []string) {
	t.Helper()
	all, _ := readPages(t, url, "X-Forwarded-Proto", "https")
	for _, e := range all {
		if id := fmt.Sprint(e.ID); !slices.Contains(without, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// protectedEvents returns the ids of the events that have a password.
func protectedEvents(t *testing.T, db *sql.DB, prefix string) (ids []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT ID FROM "+prefix+"posts WHERE post_type = 'tribe_events' AND post_password <> ''")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}
