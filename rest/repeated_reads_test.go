package rest

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
)

// readAgain are the reads whose second request, a second later, builds the response again.
var readAgain = map[string]string{
	"":                              "its date of today has a time",
	"events include":                "it is compared with the default dates, which have a time",
	"events strict_dates":           "the default dates have a time",
	"venues only_with_upcoming":     "events are compared with the present",
	"organizers only_with_upcoming": "events are compared with the present",
	"events/changes":                "changes are those since a token",
	"events/stream":                 "a stream has no end",
}

// TestRepeatedReads asks every route that reads, with each of its arguments, with values that are
// valid, find nothing or are refused. The second request makes no statement, and its response comes
// from the cache, unless readAgain names a reason.
func TestRepeatedReads(t *testing.T) {
	now := testNow
	s, _ := cachingSite(t, func(c *Config) { c.Now, c.Extensions, c.Compat = func() time.Time { return now }, true, api.Safe })
	live, err := s.srv.sites.get(t.Context(), s.DB.Session(nil), false)
	if err != nil {
		t.Fatal(err)
	}
	items := map[string]string{"events": "101", "venues": "201", "organizers": "301", "categories": "31", "tags": "41"}
	again, asked := map[string]bool{}, 0
	for _, route := range live.tables[0].Routes {
		endpoint := route.Endpoint("GET")
		if endpoint == nil {
			continue
		}
		collection, _, _ := strings.Cut(strings.TrimPrefix(route.Template, "/"), "/")
		path := strings.TrimPrefix(route.Template, "/")
		paths := []string{path}
		if at := strings.IndexByte(path, '{'); at >= 0 {
			before, after := path[:at], path[strings.IndexByte(path, '}')+1:]
			paths = []string{before + items[collection] + after, before + "99999" + after}
			if strings.Contains(path, "{slug}") {
				paths = []string{before + "dance" + after, before + "missing" + after}
			}
		}
		queries := []string{""}
		for _, arg := range endpoint.Args {
			for _, value := range []string{"1", "101", "dance", "2027-01-01", "99", "true", ""} {
				queries = append(queries, url.QueryEscape(arg.Name)+"="+url.QueryEscape(value))
			}
		}
		for _, path := range paths {
			for _, query := range queries {
				target := path
				if query != "" {
					target += "?" + query
				}
				first := s.get(target)
				now = now.Add(time.Second)
				second := s.get(target)
				asked++
				if s.seen.Cache == api.CacheHit && s.seen.Queries == 0 && first.body == second.body && first.status == second.status {
					continue
				}
				name, _, _ := strings.Cut(query, "=")
				key := strings.TrimSpace(path + " " + name)
				for _, known := range []string{key, path, collection + " " + name} {
					if readAgain[known] != "" {
						key = known
					}
				}
				again[key] = true
				if readAgain[key] == "" {
					t.Errorf("%s: %s, %d statements, %d", target, s.seen.Cache, s.seen.Queries, second.status)
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(readAgain)) {
		if !again[key] {
			t.Errorf("%q is cached", key)
		}
	}
	t.Logf("%d reads", asked)
}
