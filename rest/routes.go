package rest

import (
	"net/http"
	"strings"

	"github.com/julienschmidt/httprouter"
)

// route is one route of the namespace: its pattern as the index prints it, and
// its endpoints in registration order. Routing, index, OPTIONS, the Allow header
// and the OpenAPI document derive from this table alone.
type route struct {
	pattern   string // after the namespace, e.g. `/events/(?P<id>\d+)`
	template  string // the bounded name for metrics and logs, e.g. /events/{id}
	endpoints []endpoint
}

// endpoint is one handler of a route with the methods that it answers.
type endpoint struct {
	methods []string
	args    []arg
	// allowed decides for this request and user; nil is open to everybody.
	allowed permission
	handle  handler
}

type handler func(*call) (*response, error)

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

// newRoutes returns the route table in registration order, which is the order of
// the index. extra is appended to the arguments of every endpoint: the language
// parameter, where the site has one.
func newRoutes(extra []arg) []*route {
	routes := []*route{
		{pattern: "", template: "/", endpoints: []endpoint{{methods: readable, args: indexArgs, handle: (*call).index}}},
		{pattern: "/doc", template: "/doc", endpoints: []endpoint{{methods: readable, handle: (*call).openAPI}}},
	}
	for _, h := range newPostHandlers() {
		routes = append(routes, h.routes()...)
	}
	for _, tax := range []*taxonomyKind{categoryKind, tagKind} {
		routes = append(routes, termRoutes(tax)...)
	}
	for _, rt := range routes {
		for i := range rt.endpoints {
			rt.endpoints[i].args = join(rt.endpoints[i].args, extra)
		}
	}
	return routes
}

// handlers joins a kind of post with what only the route table needs to know.
type handlers struct {
	kind                 *postKind
	listArgs, createArgs []arg
	idArgs               []arg
	list, single         handler
	create               handler
	update, remove       handler
}

func newPostHandlers() []handlers {
	return []handlers{
		{
			kind: eventKind, listArgs: eventListArgs, createArgs: eventCreateArgs, idArgs: join(idArg(numericID), eventPasswordArg),
			list: (*call).eventList, single: (*call).eventSingle,
			create: (*call).eventCreate, update: (*call).eventUpdate, remove: (*call).eventDelete,
		},
		linkedHandlers(venueKind, venueCreateArgs),
		linkedHandlers(organizerKind, organizerCreateArgs),
	}
}

func linkedHandlers(kind *postKind, createArgs []arg) handlers {
	return handlers{
		kind: kind, listArgs: linkedListArgs(kind), createArgs: createArgs, idArgs: idArg(postID(kind)),
		list: linkedList(kind), single: linkedSingle(kind),
		create: linkedCreate(kind), update: linkedUpdate(kind), remove: linkedDelete(kind),
	}
}

func (h handlers) routes() []*route {
	base := "/" + h.kind.collection
	return []*route{
		{pattern: base, template: base, endpoints: []endpoint{
			{methods: readable, args: h.listArgs, handle: h.list},
			{methods: creatable, args: h.createArgs, allowed: mayCreate(h.kind), handle: writing(h.create)},
		}},
		{pattern: base + idPattern, template: base + "/{id}", endpoints: h.item(h.idArgs)},
		{pattern: base + slugPattern, template: base + "/by-slug/{slug}", endpoints: h.item(slugArg(h.kind))},
	}
}

func (h handlers) item(by []arg) []endpoint {
	return []endpoint{
		{methods: readable, args: by, handle: h.single},
		{methods: deletable, args: by, allowed: mayChange(h.kind, "delete"), handle: writing(h.remove)},
		{methods: editable, args: optional(by, h.createArgs), allowed: mayChange(h.kind, "edit"), handle: writing(h.update)},
	}
}

func termRoutes(tax *taxonomyKind) []*route {
	base := "/" + tax.collection
	id := idArg(termList(tax.name))
	create := termCreateArgs(tax.name)
	return []*route{
		{pattern: base, template: base, endpoints: []endpoint{
			{methods: readable, args: termListArgs(tax.name), handle: termArchive(tax)},
			{methods: creatable, args: create, allowed: mayManage(tax), handle: writing(termCreate(tax))},
		}},
		{pattern: base + idPattern, template: base + "/{id}", endpoints: []endpoint{
			{methods: readable, args: id, handle: termSingle(tax)},
			{methods: editable, args: optional(id, create), allowed: mayManage(tax), handle: writing(termUpdate(tax))},
			{methods: deletable, args: id, allowed: mayManage(tax), handle: writing(termDelete(tax))},
		}},
	}
}

// router finds the route of a path. httprouter holds static and wildcard
// segments side by side only at different depths, so the one static second
// segment, by-slug, is checked after the look-up.
type router struct {
	tree   *httprouter.Router
	routes []*route
}

func newRouter(routes []*route) *router {
	r := &router{tree: httprouter.New(), routes: routes}
	for _, rt := range routes {
		path := rt.pattern
		path = strings.Replace(path, idPattern, "/:first", 1)
		path = strings.Replace(path, slugPattern, "/:first/:second", 1)
		if path == "" {
			path = "/"
		}
		r.tree.Handle(http.MethodGet, path, func(w http.ResponseWriter, _ *http.Request, _ httprouter.Params) {
			*w.(*match) = match{route: rt}
		})
	}
	return r
}

// match carries a look-up's result out of httprouter, whose handlers take a
// ResponseWriter and whose table is then free of per-request closures.
type match struct {
	route *route
	http.ResponseWriter
}

// find returns the route of path, which is what follows the namespace, and the
// text captured by its pattern. Patterns match without regard to letter case, as
// WordPress's do; what is captured keeps the case of the request.
func (r *router) find(path string) (rt *route, name, value string) {
	lower := asciiLower(path)
	if lower == "" {
		lower = "/"
	}
	handle, params, _ := r.tree.Lookup(http.MethodGet, lower)
	if handle == nil {
		return nil, "", ""
	}
	var m match
	handle(&m, nil, nil)
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	switch len(params) {
	case 1:
		if !allDigits(segments[1]) {
			return nil, "", ""
		}
		return m.route, "id", segments[1]
	case 2:
		if !strings.EqualFold(segments[1], "by-slug") || segments[2] == "" {
			return nil, "", ""
		}
		return m.route, "slug", segments[2]
	}
	return m.route, "", ""
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func asciiLower(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= 'A' && c <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if b[j] >= 'A' && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// endpoint returns the endpoint that answers method, HEAD counting as GET.
func (rt *route) endpoint(method string) *endpoint {
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
