package routes

import (
	"context"
	"net/http"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/tribev1"
)

// Route is one route of the namespace: its pattern as the index prints it, and
// its endpoints in registration order. Routing, index, OPTIONS, the Allow header
// and the OpenAPI document derive from this table alone.
type Route struct {
	collection string // of its operations, "" for the index and the document
	Pattern    string // after the namespace, e.g. `/events/(?P<id>\d+)`
	Template   string // the bounded name for metrics and logs, e.g. /events/{id}
	Endpoints  []Endpoint

	// ContentType is the content type of the responses of a route of our own (see extensions.go),
	// "" for the reference's routes.
	ContentType string
	// Anonymous reports that the route ignores credentials and passwords.
	Anonymous bool
}

// Extension reports whether the route is our own: WordPress doesn't have it.
func (rt *Route) Extension() bool { return rt.ContentType != "" }

// Endpoint is one handler of a route with the methods that it answers.
type Endpoint struct {
	does    Verb
	Methods []string
	args    []*arg
	// Allowed decides for this request and user; nil admits everybody.
	Allowed permission
	Handle  Handler
}

// Handler answers a request that has passed all checks.
type Handler func(ctx context.Context, r *Request) (*api.Response, error)

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

// Verb is the kind of an operation.
type Verb string

// Of returns the operation on a collection.
func (v Verb) Of(collection string) Operation { return Operation{On: collection, Does: v} }

// What every collection has.
const (
	List   Verb = "list"
	Single Verb = "single"
	Create Verb = "create"
	Update Verb = "update"
	Delete Verb = "delete"
)

// Document answers /doc in place of the reference's own document. The operation is optional.
const Document Verb = "document"

// Handlers are the handlers of all operations. The table itself answers the index and the
// document.
type Handlers map[Operation]Handler

// Missing lists the operations without a handler.
func (h Handlers) Missing() []Operation {
	var out []Operation
	for _, rt := range h.addTo(append(newRoutes(nil, nil), extensionRoutes()...)) {
		for _, ep := range rt.Endpoints {
			if ep.Handle == nil && ep.does != "" {
				out = append(out, ep.does.Of(rt.collection))
			}
		}
	}
	return out
}

// newRoutes returns the route table of a site with traits in registration order, which is
// the order of the index.
func newRoutes(h Handlers, traits trait.Set) []*Route {
	routes := []*Route{
		{Pattern: "", Template: "/", Endpoints: []Endpoint{{Methods: readable, args: indexArgs}}},
		{Pattern: "/doc", Template: "/doc", Endpoints: []Endpoint{{Methods: readable}}},
	}
	routes = append(routes, postRoutes(api.Events, eventListArgs, argsOf(eventCreateArgs, traits), argsOf(eventIDArgs, traits))...)
	routes = append(routes, postRoutes(api.Venues, linkedListArgs(api.Venues), venueCreateArgs, idArg(postID(api.Venues)))...)
	routes = append(routes, postRoutes(api.Organizers, linkedListArgs(api.Organizers), organizerCreateArgs, idArg(postID(api.Organizers)))...)
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		routes = append(routes, termRoutes(tax)...)
	}
	return h.addTo(routes)
}

// addTo sets the handlers of routes.
func (h Handlers) addTo(routes []*Route) []*Route {
	for _, rt := range routes {
		for i := range rt.Endpoints {
			ep := &rt.Endpoints[i]
			ep.Handle = h[ep.does.Of(rt.collection)]
		}
	}
	return routes
}

func postRoutes(kind *api.PostKind, listArgs, createArgs, idArgs []*arg) []*Route {
	item := func(by []*arg) []Endpoint {
		return []Endpoint{
			{does: Single, Methods: readable, args: by},
			{does: Delete, Methods: deletable, args: by, Allowed: mayChange(kind, "delete")},
			{does: Update, Methods: editable, args: optional(by, createArgs), Allowed: mayChange(kind, "edit")},
		}
	}
	base := "/" + tribev1.Collection(kind)
	return []*Route{
		{collection: tribev1.Collection(kind), Pattern: base, Template: base, Endpoints: []Endpoint{
			{does: List, Methods: readable, args: listArgs},
			{does: Create, Methods: creatable, args: createArgs, Allowed: mayCreate(kind)},
		}},
		{collection: tribev1.Collection(kind), Pattern: base + idPattern, Template: base + "/{id}", Endpoints: item(idArgs)},
		{collection: tribev1.Collection(kind), Pattern: base + slugPattern, Template: base + "/by-slug/{slug}", Endpoints: item(slugArg(kind))},
	}
}

func termRoutes(tax *api.TaxonomyKind) []*Route {
	base := "/" + tribev1.TermCollection(tax)
	id, create := idArg(termList(tax)), termCreateArgs(tax)
	return []*Route{
		{collection: tribev1.TermCollection(tax), Pattern: base, Template: base, Endpoints: []Endpoint{
			{does: List, Methods: readable, args: termListArgs(tax)},
			{does: Create, Methods: creatable, args: create, Allowed: mayManage(tax)},
		}},
		{collection: tribev1.TermCollection(tax), Pattern: base + idPattern, Template: base + "/{id}", Endpoints: []Endpoint{
			{does: Single, Methods: readable, args: id},
			{does: Update, Methods: editable, args: optional(id, create), Allowed: mayManage(tax)},
			{does: Delete, Methods: deletable, args: id, Allowed: mayManage(tax)},
		}},
	}
}

// Templates lists the templates of all routes, those of our own included.
func Templates() []string {
	var out []string
	for _, rt := range append(newRoutes(nil, nil), extensionRoutes()...) {
		out = append(out, rt.Template)
	}
	return out
}

// Extensions lists the templates of the routes of our own.
func Extensions() []string {
	var out []string
	for _, rt := range extensionRoutes() {
		out = append(out, rt.Template)
	}
	return out
}

// Parameters returns the names of all parameters that requests may carry: those of
// endpoints, of WordPress, and of language plugins; languageParam is that of NewTable.
func Parameters(languageParam string) map[string]bool {
	names := map[string]bool{languageParam: true}
	for _, name := range []string{"_embed", "_envelope", "_fields", "_jsonp", "_locale", "_method", "_pretty", "context", "lang", "rest_route", "wpml_language"} {
		names[name] = true
	}
	for _, rt := range newRoutes(nil, nil) {
		for _, ep := range rt.Endpoints {
			for _, a := range ep.args {
				names[a.name] = true
			}
		}
	}
	return names
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
	return slices.ContainsFunc(ep.args, func(a *arg) bool { return a.name == name })
}
