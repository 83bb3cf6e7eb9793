package profile

import (
	"slices"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/wprest"
)

// voteArgs takes the argument descriptions of a route.
func voteArgs(v *votes, from source, route wprest.Route) {
	for _, endpoint := range route.Endpoints {
		for _, arg := range endpoint.Args {
			v.add(from, slot{section: sectionArgs, key: route.Pattern, methods: strings.Join(endpoint.Methods, ","), name: arg.Name}, arg.Description, 1)
		}
	}
}

// optionsAnswer is an OPTIONS answer, one route description, that waits for the route
// patterns, which it does not name itself.
type optionsAnswer struct {
	from        source
	route, body string
}

type optionsAnswers []optionsAnswer

func (o *optionsAnswers) add(from source, route string, root *jsontree.Node) {
	answer := optionsAnswer{from: from, route: route, body: root.Raw()}
	if !slices.Contains(*o, answer) {
		*o = append(*o, answer)
	}
}

// count finds the routes of the OPTIONS answers, now that the index is known as far
// as it was recorded, and adds to it what they say.
func (o *optionsAnswers) count(index *wprest.Index, v *votes) {
	for _, answer := range *o {
		root, err := jsontree.Parse(answer.body)
		if err != nil {
			continue
		}
		found, _ := index.Find(answer.route)
		route := wprest.ReadRoute(found.Pattern, root)
		index.Add(route)
		voteArgs(v, answer.from, route)
	}
	*o = nil
}
