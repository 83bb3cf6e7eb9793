package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"calbridge/compat/recording"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// TestSafeLists checks the promise of compat safe: a list shows and counts for each role
// exactly what that role could read individually.
func TestSafeLists(t *testing.T) {
	oneAtATime(t)
	shared := testdata.Shared(t)
	site, err := recording.LoadSite(filepath.Join(shared, "sites", "mono.json"))
	if err != nil {
		t.Fatal(err)
	}
	db := wptest.Site(t, "sqlite", "mono")
	store := openStore(t, db)
	exact := serveStore(t, store, "mono", db.Now, nil)
	safe := serveStore(t, store, "mono", db.Now, nil, func(c *rest.Config) { c.Compat = api.Safe })
	all := func(kind string) []int64 {
		return listIDs(t, exact, site, "admin", kind, "&status=publish,future,draft,pending,private,trash,auto-draft,tribe-ignored")
	}
	for _, kind := range []string{"events", "venues", "organizers"} {
		everything := all(kind)
		for _, role := range []string{"anonymous", "subscriber1", "contributor1", "author1", "editor1", "admin"} {
			for _, statuses := range [][]string{nil, {"publish"}, {"draft", "private"}, {"trash"}, {"publish", "future", "pending", "trash"}} {
				query := ""
				for _, s := range statuses {
					query += "&status[]=" + s
				}
				listed := listIDs(t, safe, site, role, kind, query)
				if listed == nil {
					continue // refused, since anonymous clients may only name the status publish
				}
				var want []int64
				for _, id := range everything {
					var post struct{ Status string }
					if get(t, safe, site, role, fmt.Sprintf("%s/%d", kind, id), &post) == http.StatusOK && wanted(statuses, post.Status) {
						want = append(want, id)
					}
				}
				slices.Sort(listed)
				slices.Sort(want)
				if !slices.Equal(listed, want) {
					t.Errorf("%s of %s %s: listed %v, readable %v", kind, role, query, listed, want)
				}
			}
		}
	}
}

func wanted(statuses []string, status string) bool {
	if statuses == nil {
		return status != "trash" && status != "auto-draft"
	}
	return slices.Contains(statuses, status)
}

// listIDs reads all pages of a list. It returns nil if the request was refused.
func listIDs(t *testing.T, url string, site *recording.Site, role, kind, query string) []int64 {
	t.Helper()
	ids := []int64{}
	for page := 1; ; page++ {
		path := fmt.Sprintf("%s?per_page=50&page=%d%s", kind, page, query)
		if kind == "events" {
			path += "&starts_after=1990-01-01"
		}
		var list struct {
			Events, Venues, Organizers []struct{ ID int64 }
			Total                      int
		}
		if status := get(t, url, site, role, path, &list); status != http.StatusOK {
			return nil
		}
		for _, e := range slices.Concat(list.Events, list.Venues, list.Organizers) {
			ids = append(ids, e.ID)
		}
		if len(ids) >= list.Total {
			if len(ids) != list.Total {
				t.Errorf("%s as %s: total %d, but %d are listed", path, role, list.Total, len(ids))
			}
			return ids
		}
		if page > 20 {
			t.Fatalf("%s: total %d is never reached", path, list.Total)
		}
	}
}

// get asks for a path below the namespace and decodes the answer.
func get(t *testing.T, url string, site *recording.Site, role, path string, into any) int {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url+"/wp-json/"+recording.DefaultNamespace+"/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Forwarded-Proto", "https")
	if user, ok := site.Users[role]; ok {
		req.SetBasicAuth(role, user.ApplicationPassword)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		if err := json.NewDecoder(res.Body).Decode(into); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return res.StatusCode
}
