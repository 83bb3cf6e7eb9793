package openapi

import (
	"context"
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// Handle answers /doc with the document of the request's site, in the language of the request's
// place.
func Handle(_ context.Context, r *wprest.Request) (*api.Result, error) {
	return &api.Result{Body: phpjson.Append(nil, document(r))}, nil
}

// HandleFile answers the route of our own, on which parameters such as _fields have no effect.
func HandleFile(_ context.Context, r *wprest.Request) (*api.Result, error) {
	return &api.Result{Body: phpjson.Append(nil, document(r)), ContentType: "application/json; charset=utf-8"}, nil
}

func document(r *wprest.Request) *php.Array {
	d := &describer{request: r, site: r.Place.Site, words: r.Place.Words, bodies: &php.Array{}}
	paths, tags := &php.Array{}, &php.Array{}
	known := map[string]bool{}
	for _, rt := range r.Table.Routes {
		paths.SetString(rt.Template, d.path(rt))
		if tag := tagOf(rt); !known[tag] {
			known[tag] = true
			tags.Append(api.Object("name", tag))
		}
	}
	schemas := d.schemas()
	for name, body := range d.bodies.All() {
		schemas.Set(name, body)
	}
	return api.Object(
		"openapi", "3.1.0",
		"info", api.Object("title", d.words.Described("info.title"), "version", "1.0.0", "description", d.words.Described("info.description")),
		"servers", php.List(api.Object("url", tribev1.LinksOf(r, r.Place.Links).Root())),
		"tags", tags,
		"paths", paths,
		"components", api.Object("securitySchemes", d.securitySchemes(), "responses", d.errors(), "schemas", schemas),
	)
}

// describer writes the parts of the document of one site.
type describer struct {
	request *wprest.Request
	site    *wpsite.Site
	words   *api.Wording
	// bodies are the schemas of request bodies by name.
	bodies *php.Array
}

// The names of the logins.
const (
	passwordLogin = "applicationPassword"
	cookieLogin   = "cookie"
	nonceLogin    = "nonce"
)

func (d *describer) securitySchemes() *php.Array {
	return api.Object(
		passwordLogin, api.Object("type", "http", "scheme", "basic", "description", d.words.Described("login.password")),
		cookieLogin, api.Object("type", "apiKey", "in", "cookie", "name", d.site.Cookies.LoggedIn, "description", d.words.Described("login.cookie")),
		nonceLogin, api.Object("type", "apiKey", "in", "header", "name", "X-WP-Nonce", "description", d.words.Described("login.nonce")),
	)
}

// security lists the ways in which a client may log in, including none.
func security(rt *wprest.Route, ep *wprest.Endpoint) *php.Array {
	if rt.Anonymous {
		return &php.Array{}
	}
	out := &php.Array{}
	if ep.Allowed == nil {
		out.Append(&php.Object{Props: &php.Array{}})
	}
	out.Append(api.Object(passwordLogin, &php.Array{}))
	out.Append(api.Object(cookieLogin, &php.Array{}, nonceLogin, &php.Array{}))
	return out
}

// schemas writes the table of models as it is for the site.
func (d *describer) schemas() *php.Array {
	out := &php.Array{}
	for _, m := range models() {
		if m.tickets && d.site.Tickets == nil {
			continue
		}
		properties, required := &php.Array{}, &php.Array{}
		for _, f := range m.fields {
			if !f.shown(d.site) {
				continue
			}
			if !m.foreign {
				f.schema.SetString("description", d.words.Described(m.name+"."+f.name))
			}
			properties.SetString(f.name, f.schema)
			if !f.optional {
				required.Append(f.name)
			}
		}
		s := api.Object("type", "object", "properties", properties)
		if required.Len() > 0 {
			s.SetString("required", required)
		}
		if !m.open {
			s.SetString("additionalProperties", false)
		}
		out.SetString(m.name, s)
	}
	return out
}

// errors writes a response for each status of errors, with the codes that it is sent with.
func (d *describer) errors() *php.Array {
	out, codes := &php.Array{}, api.Errors().With(tribev1.Errors())
	for _, status := range errorStatuses {
		s := api.Object("allOf", php.List(ref("Error"), api.Object("properties", api.Object("code", oneOf(codes.CodesOf(status)...)))))
		res := api.Object("description", d.words.Described("response."+php.ToString(int64(status))))
		headers := api.Object("Allow", header(d, "Allow", text(), false)) // what is refused before routing has none
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			headers.SetString("Retry-After", header(d, "Retry-After", integer(), false))
		}
		res.SetString("headers", headers)
		res.SetString("content", content("application/json", s))
		out.SetString(errorName(status), res)
	}
	return out
}

func errorName(status int) string { return "Error" + php.ToString(int64(status)) }

func content(mediaType string, schema *php.Array) *php.Array {
	return api.Object(mediaType, api.Object("schema", schema))
}

// header describes a header of a response.
func header(d *describer, name string, schema *php.Array, required bool) *php.Array {
	return api.Object("description", d.words.Described("header."+name), "required", required, "schema", schema)
}
