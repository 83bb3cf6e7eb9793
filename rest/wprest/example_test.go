package wprest_test

import (
	"context"
	"fmt"
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/wprest"
)

// An API is a Dialect: routes with arguments and handlers. The engine makes the table of a site,
// finds the route of a request, and adds the index.
func ExampleNewTable() {
	greet := func(_ context.Context, r *wprest.Request) (*api.Result, error) {
		return api.JSON(http.StatusOK, api.Object("greeting", "Hello, "+r.Text("name"))), nil
	}
	dialect := wprest.Dialect{Namespace: "town/v1", Routes: func(trait.Set) []*wprest.Route {
		return []*wprest.Route{{
			Pattern: "/halls/(?P<name>[a-z]+)", Template: "/halls/{name}",
			Endpoints: []wprest.Endpoint{{Methods: []string{http.MethodGet}, Handle: greet}},
		}}
	}}
	table := wprest.NewTable(dialect, trait.Set{}, "lang", nil)

	for _, path := range []string{"/town/v1/halls/opera", "/town/v1", "/town/v1/shops", "/wp/v2/posts"} {
		route, name, value, ours := table.Match(path)
		switch {
		case !ours:
			fmt.Println(path, "is in another namespace")
		case route == nil:
			fmt.Println(path, "has no route")
		default:
			fmt.Printf("%s matches %s: %q = %q\n", path, table.Path(route), name, value)
		}
	}
	// Output:
	// /town/v1/halls/opera matches /town/v1/halls/{name}: "name" = "opera"
	// /town/v1 matches /town/v1/: "" = ""
	// /town/v1/shops has no route
	// /wp/v2/posts is in another namespace
}
