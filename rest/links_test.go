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
