package routes

import (
	"context"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// indexArgs are the arguments of the namespace's own index route.
var indexArgs = []arg{
	{name: "namespace", keys: "default", def: func(r *Request) php.Value { return r.Place.Site.Settings.Namespace }},
	{name: "context", keys: "default", def: constant("view")},
}

// index answers the namespace index.
func (t *Table) index(_ context.Context, r *Request) (*api.Response, error) {
	if php.ToString(r.Get("namespace")) != r.Place.Site.Settings.Namespace {
		return nil, api.Fail("rest_invalid_namespace")
	}
	routes := &php.Array{}
	for _, rt := range t.Routes {
		routes.SetString("/"+r.Place.Site.Settings.Namespace+rt.Pattern, describeRoute(r, rt))
	}
	out := &php.Array{}
	out.SetString("namespace", r.Place.Site.Settings.Namespace)
	out.SetString("routes", routes)
	links := &php.Array{}
	links.SetString("up", wpsite.Hrefs(r.Place.Links.RESTRoot))
	return &api.Response{Body: phpjson.Append(nil, out), Links: links}, nil
}

// Options answers OPTIONS with the description of the route that the
// path matches, whatever its methods; no route is an empty list.
func Options(r *Request) *api.Response {
	rt := r.Route
	res := &api.Response{Status: http.StatusOK, Body: []byte("[]")}
	if rt != nil {
		body := describeRoute(r, rt)
		if v, ok := body.Lookup("_links"); ok {
			res.Links = v.(*php.Array)
			body.Delete(php.KeyOf("_links"))
		}
		res.Body = phpjson.Append(nil, body)
	}
	return res
}

func describeRoute(r *Request, rt *Route) *php.Array {
	methods := &php.Array{}
	endpoints := &php.Array{}
	for i := range rt.Endpoints {
		ep := &rt.Endpoints[i]
		args := &php.Array{}
		for j := range ep.args {
			args.SetString(ep.args[j].name, describeArg(r, rt, ep, &ep.args[j]))
		}
		for _, m := range ep.Methods {
			methods.Append(m)
		}
		entry := &php.Array{}
		entry.SetString("methods", php.Strings(ep.Methods...))
		entry.SetString("args", args)
		endpoints.Append(entry)
	}
	out := &php.Array{}
	out.SetString("namespace", r.Place.Site.Settings.Namespace)
	out.SetString("methods", methods)
	out.SetString("endpoints", endpoints)
	if !strings.Contains(rt.Pattern, "(?P<") {
		links := &php.Array{}
		links.SetString("self", wpsite.Hrefs(r.Place.Links.Route(rt.Pattern)))
		out.SetString("_links", links)
	}
	return out
}

// describeArg lists the schema keywords of an argument in its own order.
func describeArg(r *Request, rt *Route, ep *Endpoint, a *arg) *php.Array {
	out := &php.Array{}
	for key := range strings.FieldsSeq(a.keys) {
		switch key {
		case "default":
			var v php.Value
			if a.def != nil {
				v = a.def(r)
			}
			out.SetString(key, v)
		case "description":
			out.SetString(key, r.Place.Words.Argument(rt.Pattern, ep.Methods, a.name, a.language))
		case "type":
			out.SetString(key, a.typ)
		case "format":
			out.SetString(key, a.format)
		case "items":
			items := &php.Array{}
			items.SetString("type", "integer")
			out.SetString(key, items)
		case "enum":
			out.SetString(key, php.Strings(a.enum...))
		}
	}
	out.SetString("required", a.required)
	return out
}
