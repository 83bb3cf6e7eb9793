package rest

import (
	"net/http"
	"strings"

	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

// indexArgs are the arguments of the namespace's own index route.
var indexArgs = []arg{
	{name: "namespace", keys: "default", def: func(c *call) php.Value { return c.srv.cfg.Namespace }},
	{name: "context", keys: "default", def: constant("view")},
}

// index answers the namespace index.
func (c *call) index() (*response, error) {
	if php.ToString(c.req.get("namespace")) != c.srv.cfg.Namespace {
		return nil, fail("rest_invalid_namespace")
	}
	routes := &php.Array{}
	for _, rt := range c.site.router.routes {
		routes.SetString("/"+c.srv.cfg.Namespace+rt.pattern, c.describeRoute(rt))
	}
	out := &php.Array{}
	out.SetString("namespace", c.srv.cfg.Namespace)
	out.SetString("routes", routes)
	links := &php.Array{}
	links.SetString("up", hrefs(c.links.restRoot))
	return &response{body: phpjson.Append(nil, out), links: links}, nil
}

// options answers OPTIONS with the description of the first route whose pattern
// matches, whatever its methods; no route is an empty list.
func (c *call) options(rt *route) error {
	res := &response{status: http.StatusOK, body: []byte("[]")}
	if rt != nil {
		c.route, c.ep = rt, &rt.endpoints[0]
		body := c.describeRoute(rt)
		if v, ok := body.Lookup("_links"); ok {
			res.links = v.(*php.Array)
			body.Delete(php.KeyOf("_links"))
		}
		res.body = phpjson.Append(nil, body)
	}
	return c.finish(res)
}

func (c *call) describeRoute(rt *route) *php.Array {
	methods := &php.Array{}
	endpoints := &php.Array{}
	for i := range rt.endpoints {
		ep := &rt.endpoints[i]
		args := &php.Array{}
		for j := range ep.args {
			args.SetString(ep.args[j].name, c.describeArg(rt, ep, &ep.args[j]))
		}
		for _, m := range ep.methods {
			methods.Append(m)
		}
		entry := &php.Array{}
		entry.SetString("methods", php.Strings(ep.methods...))
		entry.SetString("args", args)
		endpoints.Append(entry)
	}
	out := &php.Array{}
	out.SetString("namespace", c.srv.cfg.Namespace)
	out.SetString("methods", methods)
	out.SetString("endpoints", endpoints)
	if !strings.Contains(rt.pattern, "(?P<") {
		links := &php.Array{}
		links.SetString("self", hrefs(with(trimSlashes(c.links.namespace)+rt.pattern, c.links.restArgument)))
		out.SetString("_links", links)
	}
	return out
}

// describeArg lists the schema keywords of an argument in its own order.
func (c *call) describeArg(rt *route, ep *endpoint, a *arg) *php.Array {
	out := &php.Array{}
	for key := range strings.FieldsSeq(a.keys) {
		switch key {
		case "default":
			var v php.Value
			if a.def != nil {
				v = a.def(c)
			}
			out.SetString(key, v)
		case "description":
			out.SetString(key, c.wording.argument(rt.pattern, ep.methods, a))
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

func hrefs(urls ...string) *php.Array {
	out := &php.Array{}
	for _, u := range urls {
		link := &php.Array{}
		link.SetString("href", u)
		out.Append(link)
	}
	return out
}
