package wprest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/compat/compattest"
	"calbridge/compat/jsontree"
	"calbridge/testdata"
)

func smallIndex(t *testing.T) *Index {
	t.Helper()
	root, err := jsontree.Parse(compattest.SmallIndex)
	if err != nil {
		t.Fatal(err)
	}
	x := &Index{Namespace: NewNamespace("")}
	if routes := x.Read(root); len(routes) != 5 || len(x.Routes) != 5 {
		t.Fatalf("%d routes read, %d in the index", len(routes), len(x.Routes))
	}
	return x
}

func TestFind(t *testing.T) {
	x := smallIndex(t)
	for route, want := range map[string]string{
		"": "/", "/events": "/events", "/Events/12": "/events/{id}", "/events/by-slug/a-b": "/events/by-slug/{slug}", "/venues": "/venues",
	} {
		if found, known := x.Find(route); !known || found.Name() != want || !found.Matches(route) {
			t.Errorf("%s: %s, known %v", route, found.Name(), known)
		}
	}
	for route, want := range map[string]string{"/Organizers/7": `/organizers/(?P<id>\d+)`, "/tags/by-slug/7": `/tags/by-slug/(?P<slug>[^/]+)`, "/events/5/more": `/events/(?P<id>\d+)/more`} {
		if found, known := x.Find(route); known || found.Pattern != want {
			t.Errorf("%s: %s, known %v", route, found.Pattern, known)
		}
	}
}

func TestNameOfNestedGroups(t *testing.T) {
	r := Route{Pattern: `/events/(?P<id>(?:\d+|last))/by/(?P<slug>[^/]+)`}
	if r.Name() != "/events/{id}/by/{slug}" {
		t.Errorf("name %s", r.Name())
	}
}

func TestArg(t *testing.T) {
	x := smallIndex(t)
	for _, c := range []struct {
		route, method, name string
		want                Arg
	}{
		{"/events", "GET", "lang", Arg{Name: "lang", Type: "string", Enum: []string{"en", "de"}}},
		{"/events", "HEAD", "page", Arg{Name: "page", Type: "integer"}},
		{"/events", "POST", "title", Arg{Name: "title", Type: "string", Required: true}},
		{"/venues", "GET", "lang", Arg{Name: "lang", Type: "string", Enum: []string{"en", "de"}}}, // of another route
		{"/events", "GET", "none", Arg{}},
	} {
		if diff := cmp.Diff(c.want, x.Arg(c.route, c.method, c.name)); diff != "" {
			t.Errorf("%s %s %s: %s", c.method, c.route, c.name, diff)
		}
	}
}

// TestAdd checks that the last of several endpoints with the same methods wins and that
// others are added.
func TestAdd(t *testing.T) {
	x := smallIndex(t)
	x.Add(Route{Pattern: "/venues", Endpoints: []Endpoint{{Methods: []string{"GET"}, Args: []Arg{{Name: "search"}}}, {Methods: []string{"POST"}}}})
	r, _ := x.Find("/venues")
	if len(x.Routes) != 5 || !r.Takes("POST") || r.Takes("DELETE") || len(r.QueryArgs()) != 1 || r.QueryArgs()[0].Name != "search" {
		t.Errorf("%+v", r)
	}
	// PHP's expressions are wider than Go's: such a route is in the index, and matches nothing.
	x.Add(Route{Pattern: `/odd/(?<!a)b`})
	if odd := x.Routes[5]; odd.Matches("/odd/b") {
		t.Error("an expression that Go cannot read matches")
	}
}

// TestOwnIndex reads the index in a recording of calbridge's demo.
func TestOwnIndex(t *testing.T) {
	namespace := NewNamespace("calendar/events/v1")
	x := &Index{Namespace: namespace}
	described := 0
	for _, one := range compattest.ReadExchanges(t, testdata.Path("recordings", "index.jsonl")) {
		request, root, ok := ReadAnswer(one, namespace)
		if !ok {
			t.Errorf("%s is no answer of the API", one.ID)
			continue
		}
		x.Read(root)
		if request.Method == "OPTIONS" && x.Describes(root) {
			described++
			found, known := x.Find(namespace.Below(request.Route))
			if !known || len(ReadRoute(found.Pattern, root).Endpoints) != len(found.Endpoints) {
				t.Errorf("%s describes another route than the index: %s", one.ID, found.Pattern)
			}
		}
	}
	var names []string
	for _, r := range x.Routes {
		names = append(names, r.Name())
	}
	for _, want := range []string{"/", "/doc", "/events", "/events/{id}", "/events/by-slug/{slug}", "/venues/{id}", "/organizers", "/categories/{id}", "/tags"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %s", want, strings.Join(names, " "))
		}
	}
	if described != 3 {
		t.Errorf("%d answers to OPTIONS describe a route", described)
	}
	events, _ := x.Find("/events")
	if !slices.ContainsFunc(events.QueryArgs(), func(a Arg) bool { return a.Name == "per_page" && a.Description != "" }) {
		t.Errorf("arguments %+v", events.QueryArgs())
	}
}
