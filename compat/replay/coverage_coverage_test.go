package replay

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/compat/compattest"
	"calbridge/compat/jsontree"
	"calbridge/compat/wprest"
)

func index(t *testing.T) *wprest.Index {
	t.Helper()
	root, err := jsontree.Parse(compattest.SmallIndex)
	if err != nil {
		t.Fatal(err)
	}
	x := &wprest.Index{Namespace: wprest.NewNamespace("")}
	x.Read(root)
	return x
}

func TestRouteOf(t *testing.T) {
	x := index(t)
	for path, want := range map[string]string{
		"/wp-json/tribe/events/v1/events/5":           "/events/{id}",
		"/wp-json/tribe/events/v1/EVENTS/by-slug/jam": "/events/by-slug/{slug}",
		"/en/?rest_route=/tribe/events/v1/venues":     "/venues",
		"/wp-json/tribe/events/v1":                    "/",
		"/wp-json/tribe/events/v1/nothing":            "(no route)",
		"/wp-json/wp/v2/posts":                        "(no route)",
		"/about":                                      "(no route)",
	} {
		if got := RouteOf(x, "GET", path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	// Without an index, a route has its usual form.
	empty := &wprest.Index{Namespace: wprest.NewNamespace("")}
	for path, want := range map[string]string{"/wp-json/tribe/events/v1/events/5": "/events/{id}", "/wp-json/wp/v2/posts": "(no route)"} {
		if got := RouteOf(empty, "GET", path); got != want {
			t.Errorf("without an index, %s: %s, want %s", path, got, want)
		}
	}
}

func TestOf(t *testing.T) {
	c := Of(index(t), []string{"jana"}, []Asked{
		{Path: "/x?page=1&venue[]=3&unknown=1", Route: "/events", Language: "default", As: "anonymous"},
		{Path: "/x?page=2", Route: "/events", Language: "en", As: "jana"},
		{Path: "/y?a=1", Route: "(no route)", Language: "default", As: "anonymous"},
		{Path: "/z?b=1", Route: "/unlisted", Language: "default", As: "anonymous"},
	})
	if diff := cmp.Diff([]string{"default", "en"}, c.Languages); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"anonymous", "jana"}, c.Roles); diff != "" {
		t.Error(diff)
	}
	var names []string
	for _, r := range c.Routes {
		names = append(names, r.Route)
	}
	if diff := cmp.Diff([]string{"/", "/events", "/events/{id}", "/events/by-slug/{slug}", "/venues", "(no route)", "/unlisted"}, names); diff != "" {
		t.Error(diff)
	}
	want := Route{Route: "/events", Advertised: true, Asked: 2,
		Parameters: map[string]int{"page": 2, "per_page": 0, "search": 0, "start_date": 0, "featured": 0, "venue": 1, "lang": 0},
		Languages:  map[string]int{"default": 1, "en": 1}, Roles: map[string]int{"anonymous": 1, "jana": 1},
		NeverParameters: []string{"featured", "lang", "per_page", "search", "start_date"}, NeverLanguages: []string{}, NeverRoles: []string{}}
	if diff := cmp.Diff(want, c.Routes[1]); diff != "" {
		t.Error(diff)
	}
	// The id is part of the path, not a parameter; a route that is not advertised has
	// the parameters that were sent, requests of no route none.
	if diff := cmp.Diff([]string{"password"}, c.Routes[2].NeverParameters); diff != "" {
		t.Error(diff)
	}
	if len(c.Routes[5].Parameters) != 0 || c.Routes[6].Parameters["b"] != 1 || c.Routes[6].Advertised {
		t.Errorf("%+v", c.Routes[5:])
	}
}
