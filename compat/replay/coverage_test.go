package replay

import (
	"context"
	"slices"
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

func TestCoverage(t *testing.T) {
	index := compattest.Exchange("index", "GET", "/wp-json/tribe/events/v1", compattest.SmallIndex)
	events := compattest.Exchange("events", "GET", "/wp-json/tribe/events/v1/events?page=1&venue[]=3", `{}`)
	english := compattest.Exchange("english", "GET", "/en/wp-json/tribe/events/v1/events/5", `{}`)
	asJana := compattest.Exchange("jana", "GET", "/wp-json/tribe/events/v1/EVENTS/by-slug/a?lang=de", `{}`)
	asJana.As = "jana"
	other := compattest.Exchange("other", "GET", "/wp-json/wp/v2/posts", `{}`)
	file := compattest.WriteRecording(t, "reads.jsonl", events, english, asJana, other, index)
	site, err := recording.LoadSite(compattest.TownSite(t))
	if err != nil {
		t.Fatal(err)
	}
	server := compattest.ReplayServer(t, []string{file}, site, nil)
	report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}, Site: compattest.TownSite(t), Details: true})
	if err != nil {
		t.Fatal(err)
	}
	c := report.Coverage
	if !slices.Equal(c.Languages, []string{"de", "default", "en"}) || !slices.Equal(c.Roles, []string{"anonymous", "jana"}) {
		t.Errorf("languages %v, roles %v", c.Languages, c.Roles)
	}
	byName := map[string]Route{}
	for _, route := range c.Routes {
		byName[route.Route] = route
	}
	for name, asked := range map[string]int{"/": 1, "/events": 1, "/events/{id}": 1, "/events/by-slug/{slug}": 1, "/venues": 0, "(no route)": 1} {
		if route, found := byName[name]; !found || route.Asked != asked {
			t.Errorf("%s: asked %d times, want %d", name, route.Asked, asked)
		}
	}
	if r := byName["/events"]; !slices.Equal(r.NeverParameters, []string{"featured", "lang", "per_page", "search", "start_date"}) || !slices.Equal(r.NeverLanguages, []string{"de", "en"}) || !slices.Equal(r.NeverRoles, []string{"jana"}) {
		t.Errorf("never %v, %v, %v", r.NeverParameters, r.NeverLanguages, r.NeverRoles)
	}
	if r := report.Cases[2]; r.Route != "/events/by-slug/{slug}" || r.Language != "de" {
		t.Errorf("route %q, language %q", r.Route, r.Language)
	}
}
