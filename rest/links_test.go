package rest

import "testing"

// TestLinks pins the URLs of a few sites, which the vectors vary further.
func TestLinks(t *testing.T) {
	for _, c := range []struct {
		name    string
		options [][2]any
		want    map[string]string // target, "#", member: URL
	}{
		{"pretty", nil, map[string]string{
			"events/101#url":                                 "https://village.example/event/dance/",
			"events/101#rest_url":                            "https://village.example/wp-json/calendar/events/v1/events/101",
			"events/101#global_id":                           "village.example?id=101",
			"events/101#venue.url":                           "https://village.example/venue/old-mill/",
			"events/114#website":                             "https://village.example/event/bare/",
			"organizers/301#url":                             "https://village.example/organizer/friends/",
			"categories/34#url":                              "https://village.example/events/category/music/jazz/bebop/",
			"categories/34#urls.up":                          "https://village.example/wp-json/calendar/events/v1/categories/32",
			"categories/31#urls.up":                          "",
			"tags/41#url":                                    "https://village.example/tag/outdoors/",
			"tags/41#urls.collection":                        "https://village.example/wp-json/calendar/events/v1/tags",
			"tags/41#_links.self.0.href":                     "https://village.example/wp-json/wp/v2/tags/41",
			"categories?page=2#previous_rest_url":            "https://village.example/wp-json/calendar/events/v1/categories/",
			"categories?per_page=1&page=3#previous_rest_url": "https://village.example/wp-json/calendar/events/v1/categories/?page=2",
			"categories?per_page=1&page=3#next_rest_url":     "https://village.example/wp-json/calendar/events/v1/categories/?page=4",
			"?x=y#_links.up.0.href":                          "https://village.example/wp-json/",
		}},
		{"without a slash", [][2]any{{"permalink_structure", "/archive/%postname%"}, {"tag_base", "/label"}, {"home", "https://village.example:8443/a/"}}, map[string]string{
			"events/101#url":       "https://village.example:8443/a/event/dance",
			"events/101#global_id": "village.example/a?id=101",
			"categories/32#url":    "https://village.example:8443/a/events/category/music/jazz",
			"tags/41#url":          "https://village.example:8443/a/archive/label/outdoors",
		}},
		{"index", [][2]any{{"permalink_structure", "/index.php/%postname%/"}}, map[string]string{
			"events/101#url":      "https://village.example/index.php/event/dance/",
			"events/101#rest_url": "https://village.example/index.php/wp-json/calendar/events/v1/events/101",
			"tags/41#url":         "https://village.example/index.php/tag/outdoors/",
		}},
		{"plain", [][2]any{{"permalink_structure", ""}}, map[string]string{
			"events/101#url":                      "https://village.example/?tribe_events=dance",
			"events/101#rest_url":                 "https://village.example/index.php?rest_route=/calendar/events/v1/events/101",
			"categories/34#url":                   "https://village.example/?tribe_events_cat=bebop",
			"tags/41#url":                         "https://village.example/?tag=outdoors",
			"categories?per_page=1#next_rest_url": "https://village.example/index.php?rest_route=%2Fcalendar%2Fevents%2Fv1%2Fcategories%2F&page=2",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTestSite(t)
			s.setOption("tag_base", "")
			for _, o := range c.options {
				s.setOption(o[0].(string), o[1])
			}
			for what, want := range c.want {
				target, member := cutLast(what, "#")
				if c.name == "plain" {
					target = "/?rest_route=/calendar/events/v1/" + withAmpersand(target)
				} else if c.name == "without a slash" {
					target = "/a" + testBase + "/" + target
				}
				if got := s.get(target).json(member); got != want {
					t.Errorf("%s:\n got %s\nwant %s", what, got, want)
				}
			}
		})
	}
}

// TestListURLs pins how a list writes its own URL and its neighbours'.
func TestListURLs(t *testing.T) {
	s := newTestSite(t)
	const base = "https://village.example/wp-json/calendar/events/v1/"
	const dates, encoded = "start_date=2026-11-21 00:00:00&end_date=2028-11-21 23:59:59", "start_date=2026-11-21+00%3A00%3A00&end_date=2028-11-21+23%3A59%3A59"
	for _, c := range []struct{ as, target, self, next, previous string }{
		{"", "events", "events/?page=1&per_page=10&" + dates + "&status=publish", "", ""},
		{"edita", "events", "events/?page=1&per_page=10&" + dates + "&status=any", "", ""},
		{"", "events?per_page=2", "events/?page=1&per_page=2&" + dates + "&status=publish", "events/?per_page=2&" + encoded + "&status=publish&page=2", ""},
		{"", "events?per_page=2&page=2", "events/?page=2&per_page=2&" + dates + "&status=publish", "events/?per_page=2&" + encoded + "&status=publish&page=3", "events/?per_page=2&" + encoded + "&status=publish"},
		{"", "events?per_page=2&page=3", "events/?page=3&per_page=2&" + dates + "&status=publish", "", "events/?per_page=2&" + encoded + "&status=publish&page=2"},
		{"", "events?search=shoes+%26+friends&categories=31&tags=41", "events/?page=1&per_page=10&" + dates + "&search=shoes & friends&status=publish", "", ""},
		{"", "events?venue=201,202", "events/?page=1&per_page=10&" + encoded + "&status=publish&venue=201,202", "", ""},
		{"", "events?organizer[]=301&organizer[]=302&featured=true", "events/?page=1&per_page=10&" + encoded + "&status=publish&organizer=301,302&featured=1", "", ""},
		{"", "events?featured=false", "events/?page=1&per_page=10&" + encoded + "&status=publish", "", ""},
		{"", "events?geoloc=1&geoloc_lat=50.5", "events/?page=1&per_page=10&" + dates + "&geoloc=1&geoloc_lat=50.5&geoloc_lng&status=publish", "", ""},
		{"", "events?post_parent=104&include=113,101&password=x&strict_dates=no", "events/?page=1&per_page=10&start_date=2026-11-21 00:59:00&end_date=2028-11-21 12:00:00&status=publish&post_parent=104&include=113,101", "", ""},
		{"karel", "events?status=", "events/?page=1&per_page=10&" + dates + "&", "", ""},
		{"karel", "events?status[]=draft&status[]=pending", "events/?page=1&per_page=10&" + dates + "&status=draft,pending", "", ""},
		{"", "venues", "venues/?page=1&per_page=10&status=publish", "", ""},
		{"", "venues?per_page=1&page=2&search=l", "venues/?page=2&per_page=1&status=publish", "venues/?per_page=1&status=publish&page=3", "venues/?per_page=1&status=publish"},
		{"edita", "organizers?has_events=&event=101", "organizers/?page=1&per_page=10&event=101&has_events&status=any", "", ""},
	} {
		a := s.do(ask{target: c.target, as: c.as})
		for _, u := range []struct{ name, want string }{{"rest_url", c.self}, {"next_rest_url", c.next}, {"previous_rest_url", c.previous}} {
			want := u.want
			if want != "" {
				want = base + want
			}
			if got := a.json(u.name); got != want {
				t.Errorf("%s %s of %s:\n got %s\nwant %s", c.as, u.name, c.target, got, want)
			}
		}
	}
}
