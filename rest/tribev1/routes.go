package tribev1

import (
	"net/http"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/wprest"
)

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

// What every collection has.
const (
	List   wprest.Verb = "list"
	Single wprest.Verb = "single"
	Create wprest.Verb = "create"
	Update wprest.Verb = "update"
	Delete wprest.Verb = "delete"
)

// Document answers /doc in place of the reference's own document. The operation is optional.
const Document wprest.Verb = "document"

// Dialect returns The Events Calendar's API in a namespace. h has the handlers of operations that
// read; the server finds those that write by their operation.
func Dialect(namespace string, h wprest.Handlers) wprest.Dialect {
	return wprest.Dialect{
		Namespace: namespace, Exposes: TotalHeaders(), Routes: func(traits trait.Set) []*wprest.Route { return routesOf(h, traits) },
	}
}

// routesOf returns the routes of a site with traits, with their handlers. It has those routes of our own
// that handlers are given for.
func routesOf(h wprest.Handlers, traits trait.Set) []*wprest.Route {
	reference := h.AddTo(newRoutes(traits))
	if own := h[Document.Of("")]; own != nil {
		reference[0].Endpoints[0].Handle = own
	}
	own := slices.DeleteFunc(h.AddTo(extensionRoutes()), func(rt *wprest.Route) bool { return rt.Endpoints[0].Handle == nil })
	return append(reference, own...)
}

// Operations lists the operations that need a handler, those of our own routes included.
func Operations() []wprest.Operation {
	var out []wprest.Operation
	for _, rt := range allRoutes() {
		for _, ep := range rt.Endpoints {
			if ep.Handle == nil {
				out = append(out, ep.Does.Of(rt.Collection))
			}
		}
	}
	return out
}

// allRoutes returns the routes of all sites, without handlers.
func allRoutes() []*wprest.Route { return append(newRoutes(nil), extensionRoutes()...) }

// newRoutes returns the reference's routes on a site with traits in registration order, which is
// the order of the index.
func newRoutes(traits trait.Set) []*wprest.Route {
	routes := []*wprest.Route{{Pattern: "/doc", Template: "/doc", Endpoints: []wprest.Endpoint{{Methods: readable, Handle: openAPI}}}}
	routes = append(routes, postRoutes(api.Events, eventListArgs, wprest.ArgsOf(eventCreateArgs, traits), wprest.ArgsOf(eventIDArgs, traits))...)
	routes = append(routes, postRoutes(api.Venues, linkedListArgs(api.Venues), venueCreateArgs, idArg(postID(api.Venues)))...)
	routes = append(routes, postRoutes(api.Organizers, linkedListArgs(api.Organizers), organizerCreateArgs, idArg(postID(api.Organizers)))...)
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		routes = append(routes, termRoutes(tax)...)
	}
	return routes
}

func postRoutes(kind *api.PostKind, listArgs, createArgs, idArgs []*wprest.Arg) []*wprest.Route {
	item := func(by []*wprest.Arg) []wprest.Endpoint {
		return []wprest.Endpoint{
			{Does: Single, Methods: readable, Args: by},
			{Does: Delete, Methods: deletable, Args: by, Allowed: mayChange(kind, "delete")},
			{Does: Update, Methods: editable, Args: wprest.Optional(by, createArgs), Allowed: mayChange(kind, "edit")},
		}
	}
	base := "/" + Collection(kind)
	return []*wprest.Route{
		{Collection: Collection(kind), Pattern: base, Template: base, Endpoints: []wprest.Endpoint{
			{Does: List, Methods: readable, Args: listArgs},
			{Does: Create, Methods: creatable, Args: createArgs, Allowed: mayCreate(kind)},
		}},
		{Collection: Collection(kind), Pattern: base + idPattern, Template: base + "/{id}", Endpoints: item(idArgs)},
		{Collection: Collection(kind), Pattern: base + slugPattern, Template: base + "/by-slug/{slug}", Endpoints: item(slugArg(kind))},
	}
}

func termRoutes(tax *api.TaxonomyKind) []*wprest.Route {
	base := "/" + TermCollection(tax)
	id, create := idArg(termList(tax)), termCreateArgs(tax)
	return []*wprest.Route{
		{Collection: TermCollection(tax), Pattern: base, Template: base, Endpoints: []wprest.Endpoint{
			{Does: List, Methods: readable, Args: termListArgs(tax)},
			{Does: Create, Methods: creatable, Args: create, Allowed: mayManage(tax)},
		}},
		{Collection: TermCollection(tax), Pattern: base + idPattern, Template: base + "/{id}", Endpoints: []wprest.Endpoint{
			{Does: Single, Methods: readable, Args: id},
			{Does: Update, Methods: editable, Args: wprest.Optional(id, create), Allowed: mayManage(tax)},
			{Does: Delete, Methods: deletable, Args: id, Allowed: mayManage(tax)},
		}},
	}
}

// Templates lists the templates of all routes, those of our own included.
func Templates() []string {
	out := []string{wprest.IndexRoute().Template}
	for _, rt := range allRoutes() {
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
// endpoints, of WordPress, and of language plugins; languageParam is that of the language.
func Parameters(languageParam string) map[string]bool {
	names := map[string]bool{languageParam: true}
	for _, name := range []string{"_embed", "_envelope", "_fields", "_jsonp", "_locale", "_method", "_pretty", "context", "lang", "rest_route", "wpml_language"} {
		names[name] = true
	}
	for _, rt := range append(newRoutes(nil), wprest.IndexRoute()) {
		for _, ep := range rt.Endpoints {
			for _, a := range ep.Args {
				names[a.Name] = true
			}
		}
	}
	return names
}
