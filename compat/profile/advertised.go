package profile

import (
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/wprest"
)

// voteArgs collects the argument descriptions of a route.
func voteArgs(v *votes, from source, route wprest.Route) {
	for _, endpoint := range route.Endpoints {
		for _, arg := range endpoint.Args {
			v.add(from, slot{section: sectionArgs, key: route.Pattern, methods: strings.Join(endpoint.Methods, ","), name: arg.Name}, arg.Description, 1)
		}
	}
}

// optionsAnswer is an answer to OPTIONS. It describes one route, whose pattern only the
// index contains.
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

// count finds the routes of the OPTIONS answers, now that the index is complete, and
// adds their descriptions to it.
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

// voteDocument collects the texts of the OpenAPI document, or of the requested part of
// it.
func voteDocument(v *votes, from source, root *jsontree.Node) {
	if root.Member("openapi") == nil && root.Member("info") == nil && root.Member("paths") == nil && root.Member("components") == nil {
		return
	}
	v.add(from, slot{section: sectionDoc, key: "/info/title"}, root.Member("info").Member("title").Text(), 1)
	voteDescriptions(v, from, "", root)
}

func voteDescriptions(v *votes, from source, pointer string, node *jsontree.Node) {
	for i, item := range node.Items {
		step := strconv.Itoa(i)
		if node.Kind == jsontree.Object {
			step = strings.NewReplacer("~", "~0", "/", "~1").Replace(node.Names[i])
		}
		if step == "description" && item.Kind == jsontree.String {
			v.add(from, slot{section: sectionDoc, key: pointer + "/description"}, item.Text(), 1)
		}
		voteDescriptions(v, from, pointer+"/"+step, item)
	}
}
