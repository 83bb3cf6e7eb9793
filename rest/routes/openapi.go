package routes

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// openAPI answers /doc: an OpenAPI 3.0 document made from the same route and
// argument tables as the index. The reference's own oddities (a password in the
// path, creation documented under the single routes) are part of the contract.
func (t *Table) openAPI(_ context.Context, r *Request) (*api.Response, error) {
	d := &document{place: r.Place, routes: t.Routes}
	out := &php.Array{}
	out.SetString("openapi", "3.0.0")
	info := d.object("version", "1.0.0")
	info.SetString("title", d.text("/info/title", "info.title"))
	info.SetString("description", d.text("/info/description", "info.description"))
	out.SetString("info", info)
	out.SetString("components", d.object("schemas", d.schemas()))
	out.SetString("servers", php.List(d.object("url", serverURL(r.Place))))
	out.SetString("paths", d.paths())
	return &api.Response{Body: phpjson.Append(nil, out)}, nil
}

// serverURL glues the request's scheme, the home URL's host without port and
// what of the namespace's URL is left when the home URL is taken away.
func serverURL(p *wpsite.Place) string {
	home := p.Links.Home
	if lang := p.Site.Languages.Find(p.Lang.Root); lang != nil && lang.Prefix != "" {
		if !p.Site.Compat.Faithful() {
			return p.Links.Namespace
		}
		// WPML ends the home URL of a language with a slash, which takes the one
		// between host and path away, and the language with it.
		home += "/"
	}
	scheme := "http"
	if p.HTTPS {
		scheme = "https"
	}
	u, err := url.Parse(p.Links.Home)
	if err != nil {
		return p.Links.Namespace
	}
	return scheme + "://" + u.Hostname() + strings.Replace(p.Links.Namespace, home, "", 1)
}

// document builds the tree and finds the wording of each place by its JSON
// pointer.
type document struct {
	place  *wpsite.Place
	routes []*Route
}

func (d *document) object(pairs ...php.Value) *php.Array {
	out := &php.Array{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out.SetString(pairs[i].(string), pairs[i+1])
	}
	return out
}

// text returns the wording at a JSON pointer; generic names our own text for it.
func (d *document) text(pointer, generic string) string {
	return d.place.Words.Document(pointer, generic)
}

func (d *document) schemas() *php.Array {
	out := &php.Array{}
	for _, s := range schemas {
		props := &php.Array{}
		for _, p := range s.properties {
			at := "/components/schemas/" + pointerToken(s.name) + "/properties/" + pointerToken(p.name)
			props.SetString(p.name, d.property(p, d.text(at+"/description", s.name+"."+strings.TrimSpace(p.name))))
		}
		out.SetString(s.name, d.object("type", "object", "properties", props))
	}
	return out
}

// property writes a schema property: the keywords in the order of its own table
// line, "type description" unless it says otherwise.
func (d *document) property(p property, text string) *php.Array {
	keys := p.keys
	if keys == "" {
		keys = "type description"
	}
	out := &php.Array{}
	for key := range strings.FieldsSeq(keys) {
		switch key {
		case "type":
			out.SetString(key, p.typ)
		case "description":
			out.SetString(key, text)
		case "format":
			out.SetString(key, p.format)
		case "enum":
			out.SetString(key, php.Strings(p.enum...))
		case "items":
			if p.ref != "" {
				out.SetString(key, d.object("$ref", schemaRef(p.ref)))
			} else {
				out.SetString(key, d.object("type", p.items))
			}
		case "$ref":
			out.SetString(key, schemaRef(p.ref))
		}
	}
	return out
}

func schemaRef(name string) string { return "#/components/schemas/" + name }

func pointerToken(s string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}

func (d *document) paths() *php.Array {
	out := &php.Array{}
	for _, rt := range d.routes {
		if rt.Pattern == "" {
			continue
		}
		path := rt.Template
		at := "/paths/" + pointerToken(path)
		switch {
		case path == "/doc":
			out.SetString(path, d.object("get", d.object("responses", d.responses(at+"/get", "doc", "200"))))
		case !strings.Contains(path, "{"):
			out.SetString(path, d.object("get", d.listOperation(at+"/get", rt)))
		default:
			out.SetString(path, d.singlePath(at, rt))
		}
	}
	return out
}

func (d *document) listOperation(at string, rt *Route) *php.Array {
	collection := strings.TrimPrefix(rt.Pattern, "/")
	params := d.parameters(at, rt, &rt.Endpoints[0], "query")
	ok := d.object("description", d.text(at+"/responses/200/description", "response.list.200"),
		"content", d.object("application/json", d.object("schema", d.object("title", collection, "type", "array",
			"items", d.object("$ref", schemaRef(schemaOf(rt)))))))
	responses := d.object("200", ok)
	for _, code := range []string{"400", "404"} {
		responses.SetString(code, d.object("description", d.text(at+"/responses/"+code+"/description", "response.list."+code)))
	}
	return d.object("parameters", params, "responses", responses)
}

// schemaOf names the schema of a route's resources.
func schemaOf(rt *Route) string {
	switch {
	case strings.HasPrefix(rt.Pattern, "/events"):
		return "Event"
	case strings.HasPrefix(rt.Pattern, "/venues"):
		return "Venue"
	case strings.HasPrefix(rt.Pattern, "/organizers"):
		return "Organizer"
	}
	return "Term"
}

func (d *document) parameters(at string, rt *Route, ep *Endpoint, in string) *php.Array {
	out := &php.Array{}
	for i := range ep.args {
		a := &ep.args[i]
		if a.undocumented {
			continue
		}
		place := at + "/parameters/" + php.ToString(int64(out.Len()))
		schema := d.object("type", cmp.Or(a.typ, a.docType))
		if a.shows("items") {
			schema.SetString("items", d.object("type", "integer"))
		}
		p := d.object("in", in, "schema", schema,
			"description", d.place.Words.DocumentArgument(place+"/description", rt.Pattern, ep.Methods, a.name, a.language),
			"required", a.required, "name", a.name)
		if a.csv {
			p.SetString("style", "form")
		}
		out.Append(p)
	}
	return out
}

func (d *document) singlePath(at string, rt *Route) *php.Array {
	schema := schemaOf(rt)
	get, del, post := rt.Endpoint("GET"), rt.Endpoint("DELETE"), rt.Endpoint("POST")
	out := &php.Array{}

	codes := []string{"400", "403", "404"}
	if schema == "Term" {
		codes = []string{"400", "404"}
	}
	out.SetString("get", d.object("parameters", d.parameters(at+"/get", rt, get, "path"),
		"responses", d.singleResponses(at+"/get", schema, []string{"200"}, codes)))

	okCodes := []string{"200", "201"}
	if schema == "Organizer" {
		okCodes = []string{"201"}
	}
	out.SetString("post", d.object("parameters", d.parameters(at+"/post", rt, get, "path"),
		"requestBody", d.requestBody(at+"/post/requestBody", rt, post, schema),
		"responses", d.singleResponses(at+"/post", schema, okCodes, []string{"400", "403"})))

	out.SetString("delete", d.object("parameters", d.parameters(at+"/delete", rt, del, "path"),
		"responses", d.singleResponses(at+"/delete", schema, []string{"200"}, []string{"400", "403", "410", "500"})))
	return out
}

func (d *document) singleResponses(at, schema string, ok, failed []string) *php.Array {
	out := &php.Array{}
	for _, code := range ok {
		r := d.object("description", d.text(at+"/responses/"+code+"/description", "response.single."+code))
		r.SetString("content", d.object("application/json", d.object("schema", d.object("$ref", schemaRef(schema)))))
		out.SetString(code, r)
	}
	for _, code := range failed {
		out.SetString(code, d.object("description", d.text(at+"/responses/"+code+"/description", "response.single."+code)))
	}
	return out
}

// requestBody lists the create fields. For organizers and categories the
// reference puts the path argument in front of them.
func (d *document) requestBody(at string, rt *Route, ep *Endpoint, schema string) *php.Array {
	const form = "application/x-www-form-urlencoded"
	props := &php.Array{}
	withPath := schema == "Organizer" || strings.HasPrefix(rt.Pattern, "/categories")
	for _, a := range documentedFields(rt, ep, withPath) {
		place := at + "/content/" + pointerToken(form) + "/schema/properties/" + pointerToken(a.name) + "/description"
		p := d.object("description", d.place.Words.DocumentArgument(place, rt.Pattern, ep.Methods, a.name, a.language), "type", cmp.Or(a.typ, a.docType))
		if a.shows("items") {
			p.SetString("items", d.object("type", "integer"))
		}
		props.SetString(a.name, p)
	}
	return d.object("content", d.object(form, d.object("schema", d.object("type", "object", "properties", props))))
}

// documentedFields returns the create arguments of a single route, in their own
// order, with the path argument in front where it is documented.
func documentedFields(rt *Route, ep *Endpoint, withPath bool) []arg {
	var out []arg
	if withPath {
		for _, a := range rt.Endpoints[0].args {
			if a.path && !a.undocumented {
				out = append(out, a)
			}
		}
	}
	create := ep.args
	if strings.HasPrefix(rt.Pattern, "/events") {
		create = eventCreateArgs
	}
	for _, a := range create {
		if !a.path && !a.undocumented {
			out = append(out, a)
		}
	}
	return out
}

func (d *document) responses(at, generic string, codes ...string) *php.Array {
	out := &php.Array{}
	for _, code := range codes {
		out.SetString(code, d.object("description", d.text(at+"/responses/"+code+"/description", "response."+generic+"."+code)))
	}
	return out
}
