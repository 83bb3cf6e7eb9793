package wprest

import (
	"context"
	"net/http"
	"slices"

	"calbridge/rest/api"
	"calbridge/wpstore"
)

// Route is one route of the namespace: its pattern as the index prints it, and its
// endpoints in registration order. Routing, index, OPTIONS, the Allow header and OpenAPI documents
// derive from it alone.
type Route struct {
	Collection string // of its operations, "" for none
	Pattern    string // after the namespace, e.g. `/events/(?P<id>\d+)`
	Template   string // the bounded name for metrics and logs, e.g. /events/{id}
	Endpoints  []Endpoint

	// ContentType is the content type of the responses of a route of our own, which WordPress
	// does not have; "" for the reference's routes.
	ContentType string
	// Cost is the cost class of the route's reads; "" is that of each query.
	Cost wpstore.CostClass
	// Anonymous reports that the route ignores credentials and passwords.
	Anonymous bool
}

// Extension reports whether the route is our own: WordPress doesn't have it.
func (rt *Route) Extension() bool { return rt.ContentType != "" }

// Endpoint is one handler of a route with the methods that it answers.
type Endpoint struct {
	// Does is the verb of the operation, "" for endpoints without one. They come with Handle.
	Does    Verb
	Methods []string
	Args    []*Arg
	// Allowed decides for this request and user; nil admits everybody.
	Allowed Permission
	// Handle is nil for an operation that writes.
	Handle Handler
}

// Handler answers a request that has passed all checks.
type Handler func(ctx context.Context, r *Request) (*api.Result, error)

// Permission decides whether this request's user may use an endpoint.
type Permission func(ctx context.Context, r *Request) (bool, error)

// Operation names one handler of a dialect.
type Operation struct {
	On string // collection, such as events
	// Does is the verb of the operation, "" for endpoints without one. They come with Handle.
	Does Verb
}

// Verb is the kind of an operation.
type Verb string

// Of returns the operation on a collection.
func (v Verb) Of(collection string) Operation { return Operation{On: collection, Does: v} }

// Handlers are handlers by operation.
type Handlers map[Operation]Handler

// AddTo sets the handlers of routes' operations, and returns the routes.
func (h Handlers) AddTo(routes []*Route) []*Route {
	for _, rt := range routes {
		for i := range rt.Endpoints {
			ep := &rt.Endpoints[i]
			if ep.Does != "" {
				ep.Handle = h[ep.Does.Of(rt.Collection)]
			}
		}
	}
	return routes
}

// Endpoint returns the endpoint that answers a method, nil for none. HEAD counts as GET.
func (rt *Route) Endpoint(method string) *Endpoint {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	i := slices.IndexFunc(rt.Endpoints, func(ep Endpoint) bool { return slices.Contains(ep.Methods, method) })
	if i < 0 {
		return nil
	}
	return &rt.Endpoints[i]
}

// Takes reports whether the endpoint declares an argument.
func (ep *Endpoint) Takes(name string) bool {
	return slices.ContainsFunc(ep.Args, func(a *Arg) bool { return a.Name == name })
}
