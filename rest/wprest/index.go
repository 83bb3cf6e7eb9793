package wprest

import (
	"context"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// IndexRoute returns the first route of every namespace, which describes the others.
func IndexRoute() *Route {
	return &Route{Pattern: "", Template: "/", Endpoints: []Endpoint{{Methods: []string{http.MethodGet}, Args: indexArgs, Handle: index}}}
}

// indexArgs are the arguments of the index.
var indexArgs = []*Arg{
	{Name: "namespace", Keys: "default", Default: func(r *Request) php.Value { return r.Table.Namespace }},
	{Name: "context", Keys: "default", Default: Constant("view")},
}

// index answers the namespace index.
func index(_ context.Context, r *Request) (*api.Result, error) {
	namespace := r.Table.Namespace
	if php.ToString(r.Get("namespace")) != namespace {
		return nil, api.Fail("rest_invalid_namespace")
	}
	routes := &php.Array{}
	for _, rt := range r.Table.Routes {
		routes.SetString("/"+namespace+rt.Pattern, describeRoute(r, rt))
	}
	return &api.Result{
		Body:  phpjson.Append(nil, api.Object("namespace", namespace, "routes", routes)),
		Links: api.Object("up", wpsite.Hrefs(r.Place.Links.RESTRoot)),
	}, nil
}

// Options answers OPTIONS with the description of the matched route, whatever its methods. Without
// a route, the description is an empty list.
func Options(r *Request) *api.Result {
	if r.Route == nil {
		return &api.Result{Body: []byte("[]")}
	}
	body, res := describeRoute(r, r.Route), &api.Result{}
	res.Links, _ = body.At("_links").(*php.Array)
	body.Delete(php.KeyOf("_links"))
	res.Body = phpjson.Append(nil, body)
	return res
}

func describeRoute(r *Request, rt *Route) *php.Array {
	methods, endpoints := &php.Array{}, &php.Array{}
	for i := range rt.Endpoints {
		ep := &rt.Endpoints[i]
		args := &php.Array{}
		for _, a := range ep.Args {
			args.SetString(a.Name, describeArg(r, rt, ep, a))
		}
		for _, m := range ep.Methods {
			methods.Append(m)
		}
		endpoints.Append(api.Object("methods", php.Strings(ep.Methods...), "args", args))
	}
	out := api.Object("namespace", r.Table.Namespace, "methods", methods, "endpoints", endpoints)
	if !strings.Contains(rt.Pattern, "(?P<") {
		path := rt.Pattern
		if rt.Extension() {
			path = rt.Template
		}
		out.SetString("_links", api.Object("self", wpsite.Hrefs(r.Place.Links.REST(r.Table.Namespace+path))))
	}
	return out
}

// describeArg lists the schema keywords of an argument, in its own order.
func describeArg(r *Request, rt *Route, ep *Endpoint, a *Arg) *php.Array {
	out := &php.Array{}
	for key := range strings.FieldsSeq(a.Keys) {
		var v php.Value
		switch key {
		case "default":
			if a.Timely {
				r.Clock.Present()
			}
			if a.Default != nil {
				v = a.Default(r)
			}
		case "description":
			v = a.Describe(r.Place.Words.Argument(rt.Pattern, ep.Methods, a.Name, a.Language))
		case "type":
			v = a.Type
		case "format":
			v = a.Format
		case "items":
			v = api.Object("type", "integer")
		case "enum":
			v = php.Strings(a.Enum...)
		}
		out.SetString(key, v)
	}
	out.SetString("required", a.Required)
	return out
}
