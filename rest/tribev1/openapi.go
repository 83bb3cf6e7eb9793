package tribev1

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// openAPI answers /doc: an OpenAPI 3.0 document built from the same tables as the index. The
// reference's own oddities (a password in the path, creation documented under the single routes)
// are part of the contract. Under fixed, [Document] answers instead.
func openAPI(_ context.Context, r *wprest.Request) (*api.Result, error) {
	d := &document{place: r.Place, routes: r.Table.Routes}
	return &api.Result{Body: phpjson.Append(nil, api.Object(
		"openapi", "3.0.0",
		"info", api.Object("version", "1.0.0", "title", d.text("/info/title", "info.title"), "description", d.text("/info/description", "info.description")),
		"components", api.Object("schemas", d.schemas()),
		"servers", php.List(api.Object("url", serverURL(r))),
		"paths", d.paths(),
	))}, nil
}

// serverURL joins the request's scheme, the home URL's host without port, and the
// namespace's URL without the home URL.
func serverURL(r *wprest.Request) string {
	p := r.Place
	home, root := p.Links.Home, LinksOf(r, p.Links).Root()+"/"
	if lang := p.Site.Languages.Find(p.Lang.Root); lang != nil && lang.Prefix != "" {
		// WPML ends the home URL of a language with a slash, which removes the one
		// between host and path, and the language.
		home += "/"
	}
	scheme := "http"
	if p.HTTPS {
		scheme = "https"
	}
	u, err := url.Parse(p.Links.Home)
	if err != nil {
		return root
	}
	return scheme + "://" + u.Hostname() + strings.Replace(root, home, "", 1)
}

// document builds the tree and finds the wording of each place by its JSON pointer.
type document struct {
	place  *wpsite.Place
	routes []*wprest.Route
}

// text returns the wording at a JSON pointer; generic is the name of our own text.
func (d *document) text(pointer, generic string) string {
	return d.place.Words.Document(pointer, generic)
}

func (d *document) schemas() *php.Array {
	out := &php.Array{}
	for _, s := range schemas {
		props := &php.Array{}
		for _, p := range s.properties {
			at := "/components/schemas/" + pointerToken(s.name) + "/properties/" + pointerToken(p.name)
			props.SetString(p.name, p.describe(d.text(at+"/description", s.name+"."+strings.TrimSpace(p.name))))
		}
		out.SetString(s.name, api.Object("type", "object", "properties", props))
	}
	return out
}

// describe writes the keywords of a property in the order of its own table line.
func (p property) describe(text string) *php.Array {
	out := &php.Array{}
	for key := range strings.FieldsSeq(cmp.Or(p.keys, "type description")) {
		var v php.Value
		switch key {
		case "type":
			v = p.typ
		case "description":
			v = text
		case "format":
			v = p.format
		case "enum":
			v = php.Strings(p.enum...)
		case "items":
			v = api.Object("type", p.items)
			if p.ref != "" {
				v = schemaRef(p.ref)
			}
		case "$ref":
			v = schemaRef(p.ref).At(key)
		}
		out.SetString(key, v)
	}
	return out
}

func schemaRef(name string) *php.Array { return api.Object("$ref", "#/components/schemas/"+name) }

func pointerToken(s string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}

func (d *document) paths() *php.Array {
	out := &php.Array{}
	for _, rt := range d.routes {
		path := rt.Template
		at := "/paths/" + pointerToken(path)
		switch {
		case rt.Pattern == "":
		case rt.Extension():
			out.SetString(path, api.Object("get", d.extension(at+"/get", rt)))
		case path == "/doc":
			out.SetString(path, api.Object("get", api.Object("responses", d.responses(at+"/get", "doc", nil, []string{"200"}))))
		case !strings.Contains(path, "{"):
			out.SetString(path, api.Object("get", d.listOperation(at+"/get", rt)))
		default:
			out.SetString(path, d.singlePath(at, rt))
		}
	}
	return out
}

func (d *document) listOperation(at string, rt *wprest.Route) *php.Array {
	list := api.Object("title", strings.TrimPrefix(rt.Pattern, "/"), "type", "array", "items", schemaRef(schemaOf(rt)))
	return api.Object("parameters", d.parameters(at, rt, &rt.Endpoints[0], "query"),
		"responses", d.responses(at, "list", list, []string{"200"}, "400", "404"))
}

// extension describes a route of our own.
func (d *document) extension(at string, rt *wprest.Route) *php.Array {
	failed := []string{"400", "404"}
	switch rt.Endpoints[0].Does {
	case Changes:
		failed = []string{"400", "410", "501", "503"}
	case Stream:
		failed = []string{"400", "429", "501", "503"}
	}
	responses := d.responses(at, "extension", nil, []string{"200"}, failed...)
	responses.At("200").(*php.Array).SetString("content", api.Object(rt.ContentType, api.Object("schema", api.Object("type", "string"))))
	parameters := &php.Array{}
	for _, in := range []string{"path", "query"} {
		args := slices.DeleteFunc(slices.Clone(rt.Endpoints[0].Args), func(a *wprest.Arg) bool { return a.InPath != (in == "path") })
		for _, p := range d.parameters(at, rt, &wprest.Endpoint{Methods: readable, Args: args}, in).Values() {
			parameters.Append(p)
		}
	}
	return api.Object("summary", d.text(at+"/summary", "extension."+string(rt.Endpoints[0].Does)), "parameters", parameters, "responses", responses)
}

// schemaOf names the schema of a route's resources.
func schemaOf(rt *wprest.Route) string {
	for collection, schema := range map[string]string{"/events": "Event", "/venues": "Venue", "/organizers": "Organizer"} {
		if strings.HasPrefix(rt.Pattern, collection) {
			return schema
		}
	}
	return "Term"
}

func (d *document) parameters(at string, rt *wprest.Route, ep *wprest.Endpoint, in string) *php.Array {
	out := &php.Array{}
	for _, a := range ep.Args {
		if a.Undocumented {
			continue
		}
		place := at + "/parameters/" + php.ToString(int64(out.Len()))
		schema := api.Object("type", cmp.Or(a.Type, a.DocType))
		if a.Shows("items") {
			schema.SetString("items", api.Object("type", "integer"))
		}
		p := api.Object("in", in, "schema", schema, "description", d.argument(place, rt, ep, a), "required", a.Required, "name", a.Name)
		if a.CSV {
			p.SetString("style", "form")
		}
		out.Append(p)
	}
	return out
}

// argument returns the description of an argument, which the document has at a JSON pointer.
func (d *document) argument(at string, rt *wprest.Route, ep *wprest.Endpoint, a *wprest.Arg) string {
	return a.Describe(d.place.Words.DocumentArgument(at+"/description", rt.Pattern, ep.Methods, a.Name, a.Language))
}

func (d *document) singlePath(at string, rt *wprest.Route) *php.Array {
	schema := schemaOf(rt)
	get, del, post := rt.Endpoint("GET"), rt.Endpoint("DELETE"), rt.Endpoint("POST")
	failed, done := []string{"400", "403", "404"}, []string{"200", "201"}
	switch schema {
	case "Term":
		failed = []string{"400", "404"}
	case "Organizer":
		done = []string{"201"}
	}
	ref := schemaRef(schema)
	return api.Object(
		"get", api.Object("parameters", d.parameters(at+"/get", rt, get, "path"),
			"responses", d.responses(at+"/get", "single", ref, []string{"200"}, failed...)),
		"post", api.Object("parameters", d.parameters(at+"/post", rt, get, "path"),
			"requestBody", d.requestBody(at+"/post/requestBody", rt, post, schema),
			"responses", d.responses(at+"/post", "single", ref, done, "400", "403")),
		"delete", api.Object("parameters", d.parameters(at+"/delete", rt, del, "path"),
			"responses", d.responses(at+"/delete", "single", ref, []string{"200"}, "400", "403", "410", "500")),
	)
}

// responses describes the responses of an operation by status. Successful ones have a body of a
// schema, unless that is nil. kind names our own texts.
func (d *document) responses(at, kind string, schema *php.Array, done []string, failed ...string) *php.Array {
	out := &php.Array{}
	for i, code := range slices.Concat(done, failed) {
		res := api.Object("description", d.text(at+"/responses/"+code+"/description", "response."+kind+"."+code))
		if i < len(done) && schema != nil {
			res.SetString("content", api.Object("application/json", api.Object("schema", schema)))
		}
		out.SetString(code, res)
	}
	return out
}

// requestBody lists the create fields. For organizers and categories the
// reference puts the path argument in front of them.
func (d *document) requestBody(at string, rt *wprest.Route, ep *wprest.Endpoint, schema string) *php.Array {
	const form = "application/x-www-form-urlencoded"
	props := &php.Array{}
	withPath := schema == "Organizer" || strings.HasPrefix(rt.Pattern, "/categories")
	for _, a := range d.documentedFields(rt, ep, withPath) {
		place := at + "/content/" + pointerToken(form) + "/schema/properties/" + pointerToken(a.Name)
		p := api.Object("description", d.argument(place, rt, ep, a), "type", cmp.Or(a.Type, a.DocType))
		if a.Shows("items") {
			p.SetString("items", api.Object("type", "integer"))
		}
		props.SetString(a.Name, p)
	}
	return api.Object("content", api.Object(form, api.Object("schema", api.Object("type", "object", "properties", props))))
}

// documentedFields returns the create arguments of a single route, in their own
// order, with the path argument in front where it is documented.
func (d *document) documentedFields(rt *wprest.Route, ep *wprest.Endpoint, withPath bool) []*wprest.Arg {
	create := ep.Args
	if strings.HasPrefix(rt.Pattern, "/events") {
		create = wprest.ArgsOf(eventCreateArgs, d.place.Site.Traits)
	}
	fields := slices.DeleteFunc(slices.Clone(create), func(a *wprest.Arg) bool { return a.InPath || a.Undocumented })
	if withPath {
		path := slices.DeleteFunc(slices.Clone(rt.Endpoints[0].Args), func(a *wprest.Arg) bool { return !a.InPath || a.Undocumented })
		fields = append(path, fields...)
	}
	return fields
}
