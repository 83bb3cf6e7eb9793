package rest

import (
	"strings"
	"testing"
)

func TestSearches(t *testing.T) {
	s := newTestSite(t)
	for target, want := range map[string]string{
		"events?search=mill":                       "101",
		"events?search=DANCE+shoes":                "101",
		"events?search=dance+-shoes":               "",
		"events?search=trio":                       "103",
		"events?search=secret":                     "", // protected, and the client anonymous
		"events?search=%25":                        "",
		"events?search=_":                          "",
		"events?search=%5C":                        "101 102 103 113 106", // a backslash searches for nothing
		"events?search=nothing+like+that":          "",
		"venues?search=mill+lane":                  "201",
		"venues?search=mill+lhota":                 "", // not in one field
		"venues?search=lhota":                      "202 201",
		"organizers?search=friends.example":        "301",
		"organizers?search=555+000":                "301",
		"categories?search=jazz":                   "32",
		"tags?search=out":                          "41",
		"tags?search=%25":                          "",
		"events?categories=music&search=jazz":      "103",
		"events?tags=outdoors":                     "101",
		"events?tags=outdoors,primestske":          "101", // only the first tag counts
		"events?categories=music":                  "101 103",
		"events?categories=34":                     "103",
		"events?categories=talks,bebop":            "102 103",
		"events?categories=Talks":                  "102",
		"events?categories=[]":                     "",
		"events?venue=201":                         "101 106",
		"events?venue=201,205":                     "101 103 106",
		"events?venue=201&organizer=302":           "101",
		"events?featured=true":                     "101",
		"events?featured=0":                        "102 103 113 106",
		"events?post_parent=104":                   "113",
		"venues?event=104&status=publish":          "202 201",
		"venues?has_events=1":                      "205 202 201",
		"venues?has_events=no":                     "",
		"venues?only_with_upcoming=yes":            "205 202 201",
		"organizers?has_events=0":                  "",
		"categories":                               "34 32 31 33",
		"categories?orderby=slug&order=desc":       "33 31 32 34",
		"categories?hide_empty=0":                  "34 32 31 35 33",
		"categories?parent=31":                     "32",
		"categories?include=33,31&orderby=include": "33 31",
		"categories?exclude=31":                    "34 32 33",
		"categories?slug=jazz":                     "32",
		"categories?event=103":                     "34 32",
		"tags?page=2":                              "",
		"tags?offset=1":                            "42",
		"tags?context=edit":                        "",
	} {
		list, _, _ := strings.Cut(target, "?")
		if got := s.get(target).ids(list); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}

func TestFruitlessVenueSearch(t *testing.T) {
	s := newTestSite(t)
	a := s.get("venues?search=nowhere&per_page=2")
	if a.ids("venues") != "" || a.json("total") != "3" || a.json("total_pages") != "2" || a.json("next_rest_url") == "" {
		t.Error(a.body)
	}
	if got := s.get("venues?search=nowhere&page=2").outcome(); got != "404 venue-archive-page-not-found" {
		t.Error(got)
	}
}
