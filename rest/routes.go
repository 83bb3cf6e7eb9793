package rest

import (
	"context"
	"net/http"
)

// Route is one route of the namespace: its pattern as the index prints it, and
// its endpoints in registration order. Routing, index, OPTIONS, the Allow header
// and the OpenAPI document derive from this table alone.
type Route struct {
	collection string // that its operations are on, "" for the index and the document
	pattern    string // after the namespace, e.g. `/events/(?P<id>\d+)`
	template   string // the bounded name for metrics and logs, e.g. /events/{id}
	endpoints  []Endpoint
}

// Endpoint is one handler of a route with the methods that it answers.
type Endpoint struct {
	does    Verb
	methods []string
	args    []arg
	// allowed decides for this request and user; nil is open to everybody.
	allowed permission
	handle  Handler
}

// Handler answers a request that has passed all checks.
type Handler func(ctx context.Context, r *Routed) (*Response, error)

var (
	readable  = []string{http.MethodGet}
	creatable = []string{http.MethodPost}
	editable  = []string{http.MethodPost, http.MethodPut, http.MethodPatch}
	deletable = []string{http.MethodDelete}
)

const (
	idPattern   = `/(?P<id>\d+)`
	slugPattern = `/by-slug/(?P<slug>[^/]+)`
)

// Operation names one handler of the interface.
type Operation struct {
	On   string // collection, such as events
	Does Verb
}

// Verb is what an operation does.
type Verb string

// What every collection has.
const (
	List   Verb = "list"
	Single Verb = "single"
	Create Verb = "create"
	Update Verb = "update"
	Delete Verb = "delete"
)

// Handlers are the handlers of all operations but the index and the document, which
// the table itself answers.
type Handlers map[Operation]Handler

// Missing lists the operations of the interface that have no handler.
func (h Handlers) Missing() []Operation {
	var out []Operation
	for _, rt := range newRoutes(h) {
		for _, ep := range rt.endpoints {
			if ep.handle == nil && ep.does != "" {
				out = append(out, Operation{rt.collection, ep.does})
			}
		}
	}
	return out
}

// newRoutes returns the route table in registration order, which is the order of
// the index.
func newRoutes(h Handlers) []*Route {
	routes := []*Route{
		{pattern: "", template: "/", endpoints: []Endpoint{{methods: readable, args: indexArgs}}},
		{pattern: "/doc", template: "/doc", endpoints: []Endpoint{{methods: readable}}},
	}
	routes = append(routes, postRoutes(eventKind, eventListArgs, eventCreateArgs, join(idArg(numericID), eventPasswordArg))...)
	routes = append(routes, postRoutes(venueKind, linkedListArgs(venueKind), venueCreateArgs, idArg(postID(venueKind)))...)
	routes = append(routes, postRoutes(organizerKind, linkedListArgs(organizerKind), organizerCreateArgs, idArg(postID(organizerKind)))...)
	for _, tax := range []*taxonomyKind{categoryKind, tagKind} {
		routes = append(routes, termRoutes(tax)...)
	}
	for _, rt := range routes {
		for i := range rt.endpoints {
			ep := &rt.endpoints[i]
			ep.handle = h[Operation{rt.collection, ep.does}]
		}
	}
	return routes
}

func postRoutes(kind *postKind, listArgs, createArgs, idArgs []arg) []*Route {
	item := func(by []arg) []Endpoint {
		return []Endpoint{
			{does: Single, methods: readable, args: by},
			{does: Delete, methods: deletable, args: by, allowed: mayChange(kind, "delete")},
			{does: Update, methods: editable, args: optional(by, createArgs), allowed: mayChange(kind, "edit")},
		}
	}
	base := "/" + kind.collection
	return []*Route{
		{collection: kind.collection, pattern: base, template: base, endpoints: []Endpoint{
			{does: List, methods: readable, args: listArgs},
			{does: Create, methods: creatable, args: createArgs, allowed: mayCreate(kind)},
		}},
		{collection: kind.collection, pattern: base + idPattern, template: base + "/{id}", endpoints: item(idArgs)},
		{collection: kind.collection, pattern: base + slugPattern, template: base + "/by-slug/{slug}", endpoints: item(slugArg(kind))},
	}
}

func termRoutes(tax *taxonomyKind) []*Route {
	base := "/" + tax.collection
	id := idArg(termList(tax.name))
	create := termCreateArgs(tax.name)
	return []*Route{
		{collection: tax.collection, pattern: base, template: base, endpoints: []Endpoint{
			{does: List, methods: readable, args: termListArgs(tax.name)},
			{does: Create, methods: creatable, args: create, allowed: mayManage(tax)},
		}},
		{collection: tax.collection, pattern: base + idPattern, template: base + "/{id}", endpoints: []Endpoint{
			{does: Single, methods: readable, args: id},
			{does: Update, methods: editable, args: optional(id, create), allowed: mayManage(tax)},
			{does: Delete, methods: deletable, args: id, allowed: mayManage(tax)},
		}},
	}
}

// Templates lists what the templates of routes may be.
func Templates() []string {
	var out []string
	for _, rt := range newRoutes(nil) {
		out = append(out, rt.template)
	}
	return out
}

// endpoint returns the endpoint that answers method, HEAD counting as GET.
func (rt *Route) endpoint(method string) *Endpoint {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i := range rt.endpoints {
		for _, m := range rt.endpoints[i].methods {
			if m == method {
				return &rt.endpoints[i]
			}
		}
	}
	return nil
}

// Takes says whether the endpoint declares an argument.
func (ep *Endpoint) Takes(name string) bool {
	for i := range ep.args {
		if ep.args[i].name == name {
			return true
		}
	}
	return false
}
