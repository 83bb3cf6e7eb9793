package openapi

import (
	"cmp"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore/php"
)

// errorStatuses are the statuses of errors that operations answer with, in order.
var errorStatuses = []int{
	http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone, http.StatusRequestEntityTooLarge,
	http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusNotImplemented, http.StatusServiceUnavailable,
}

// mayFail reports whether an endpoint can respond with the status of an error. Responses of a proxy
// in front are not described.
func mayFail(rt *wprest.Route, ep *wprest.Endpoint, status int) bool {
	kind := kindOf(rt.Collection)
	writes := ep.Allowed != nil
	switch status {
	case http.StatusUnauthorized:
		return !rt.Anonymous
	case http.StatusForbidden:
		return !rt.Anonymous || ep.Does == tribev1.SingleFeed || ep.Does == tribev1.Feed && strings.Contains(rt.Template, "{")
	case http.StatusNotFound:
		return rt.Template == "/" || kind != nil && ep.Does == tribev1.List ||
			kind == api.Events && !rt.Extension() && (strings.HasSuffix(rt.Template, "/{id}") || ep.Does == tribev1.Update)
	case http.StatusGone:
		return ep.Does == tribev1.Changes || ep.Does == tribev1.Delete && kind != nil
	case http.StatusRequestEntityTooLarge:
		return writes
	case http.StatusTooManyRequests:
		return !rt.Anonymous || ep.Does == tribev1.Stream
	case http.StatusNotImplemented:
		return ep.Does == tribev1.Changes || ep.Does == tribev1.Stream || kind != nil && (ep.Does == tribev1.Create || ep.Does == tribev1.Update)
	}
	return true
}

// kindOf returns the kind of posts of a collection, nil for terms.
func kindOf(collection string) *api.PostKind {
	for _, kind := range []*api.PostKind{api.Events, api.Venues, api.Organizers} {
		if tribev1.Collection(kind) == collection {
			return kind
		}
	}
	return nil
}

// modelOf returns the model of the items of a collection.
func modelOf(collection string) string {
	return map[string]string{"events": "Event", "venues": "Venue", "organizers": "Organizer", "categories": "Category", "tags": "Tag"}[collection]
}

func tagOf(rt *wprest.Route) string { return cmp.Or(rt.Collection, "interface") }

func bySlug(rt *wprest.Route) bool { return strings.Contains(rt.Template, "{slug}") }

// path describes the operations of a route.
func (d *describer) path(rt *wprest.Route) *php.Array {
	out := &php.Array{}
	for i := range rt.Endpoints {
		ep := &rt.Endpoints[i]
		for _, method := range ep.Methods {
			out.SetString(strings.ToLower(method), d.operation(rt, ep, method))
		}
	}
	return out
}

// operationID returns the name of an operation, which is unique.
func operationID(rt *wprest.Route, ep *wprest.Endpoint, method string) string {
	switch verb := ep.Does; {
	case rt.Template == "/":
		return "getIndex"
	case rt.Template == "/doc":
		return "getDocument"
	case verb == tribev1.List:
		return "list" + strings.ToUpper(rt.Collection[:1]) + rt.Collection[1:]
	case verb == tribev1.Single, verb == tribev1.Create, verb == tribev1.Update, verb == tribev1.Delete:
		name := map[wprest.Verb]string{tribev1.Single: "get", tribev1.Create: "create", tribev1.Update: "update", tribev1.Delete: "delete"}[verb]
		if method == http.MethodPut || method == http.MethodPatch {
			name = strings.ToLower(method)
		}
		name += modelOf(rt.Collection)
		if bySlug(rt) {
			name += "BySlug"
		}
		return name
	}
	// Routes of our own have names of their own: their paths.
	name := "get"
	for part := range strings.FieldsFuncSeq(rt.Template, func(r rune) bool { return strings.ContainsRune("/.-{}", r) }) {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	return name
}

// summaryOf names the text about an operation.
func summaryOf(rt *wprest.Route, ep *wprest.Endpoint) string {
	switch {
	case rt.Template == "/":
		return "operation.index"
	case rt.Extension():
		return "extension." + string(ep.Does)
	}
	return "operation." + string(cmp.Or(ep.Does, tribev1.Document))
}

func (d *describer) operation(rt *wprest.Route, ep *wprest.Endpoint, method string) *php.Array {
	id := operationID(rt, ep, method)
	out := api.Object(
		"operationId", id, "tags", php.List(tagOf(rt)), "summary", d.words.Described(summaryOf(rt, ep)), "security", security(rt, ep),
	)
	if ep.Does == tribev1.Update && kindOf(rt.Collection) == api.Events {
		out.SetString("description", d.words.Described("operation.update.event"))
	}
	parameters, fields := d.split(rt, ep)
	if parameters.Len() > 0 {
		out.SetString("parameters", parameters)
	}
	if fields != nil {
		out.SetString("requestBody", d.body(rt, ep, fields))
	}
	out.SetString("responses", d.responses(rt, ep))
	return out
}

// split returns the parameters of the path and the query, and those that the body of a write has.
// Arguments of a path that a field of the body hides are those of the read.
func (d *describer) split(rt *wprest.Route, ep *wprest.Endpoint) (parameters *php.Array, fields []wprest.Parameter) {
	parameters = &php.Array{}
	for _, p := range d.request.Parameters(rt, &rt.Endpoints[0]) {
		if p.InPath {
			parameters.Append(d.parameter("path", p))
		}
	}
	inBody := ep.Does == tribev1.Create || ep.Does == tribev1.Update
	for _, p := range d.request.Parameters(rt, ep) {
		switch {
		case p.InPath:
		case inBody && !p.Language:
			fields = append(fields, p)
		default:
			parameters.Append(d.parameter("query", p))
		}
	}
	return parameters, fields
}

func (d *describer) parameter(in string, p wprest.Parameter) *php.Array {
	out := api.Object("name", p.Name, "in", in, "required", p.Required, "description", p.Description)
	if p.Type == "array" {
		out.SetString("style", "form")
		out.SetString("explode", false)
	}
	s := d.schemaOf(p)
	switch v := p.Default; {
	case v == nil:
	case p.Flag, p.Type == "integer":
		s.SetString("default", php.ToInt(v))
	case p.Type == "boolean":
		s.SetString("default", php.Truthy(v))
	default:
		s.SetString("default", php.ToString(v))
	}
	out.SetString("schema", s)
	return out
}

// schemaOf returns the schema of an argument, without its default: openapi-typescript would
// require a field of a body that has one.
func (d *describer) schemaOf(p wprest.Parameter) *php.Array {
	s := typed(p.Type)
	switch {
	case p.Flag:
		s = api.Object("type", "integer", "enum", php.List(int64(0), int64(1)))
	case p.Linked != nil:
		return linked(p.Linked)
	case p.Type == "array" && p.Named:
		s = listOf(typed("integer", "string"))
	case p.Type == "array":
		s = listOf(integer())
	case p.Enum != nil:
		s = oneOf(p.Enum...)
	case p.Format != "":
		s.SetString("format", p.Format)
	}
	return s
}

// linked returns the schema of what an event links to: one venue or any organizers, by id or as
// data of new ones.
func linked(kind *api.PostKind) *php.Array {
	made := ref("New" + modelOf(tribev1.Collection(kind)))
	existing := api.Object("type", "object", "properties", api.Object("id", integer()), "required", php.Strings("id"))
	if kind == api.Venues {
		return anyOf(integer(), made, existing)
	}
	return anyOf(integer(), listOf(anyOf(integer(), made, existing)))
}

// body describes the body of a write. Lists are comma-separated in forms.
func (d *describer) body(rt *wprest.Route, ep *wprest.Endpoint, fields []wprest.Parameter) *php.Array {
	name := "New" + modelOf(rt.Collection)
	if ep.Does == tribev1.Update {
		name = "Changed" + modelOf(rt.Collection)
		if bySlug(rt) {
			name += "BySlug"
		}
	}
	properties, required, encoding := &php.Array{}, &php.Array{}, &php.Array{}
	for _, p := range fields {
		s := d.schemaOf(p)
		s.SetString("description", p.Description)
		properties.SetString(p.Name, s)
		if p.Required {
			required.Append(p.Name)
		}
		if p.Type == "array" && p.Linked == nil {
			encoding.SetString(p.Name, api.Object("style", "form", "explode", false))
		}
	}
	s := api.Object("type", "object", "properties", properties)
	if required.Len() > 0 {
		s.SetString("required", required)
	}
	d.bodies.SetString(name, s)
	types := api.Object("application/json", api.Object("schema", ref(name), "example", exampleOf(rt.Collection)))
	form := api.Object("schema", ref(name))
	if encoding.Len() > 0 {
		form.SetString("encoding", encoding)
	}
	types.SetString("application/x-www-form-urlencoded", form)
	types.SetString("multipart/form-data", api.Object("schema", ref(name)))
	return api.Object("required", ep.Does == tribev1.Create, "content", types)
}

// exampleOf returns a body that creates or changes an item of a collection of the sample calendar.
func exampleOf(collection string) *php.Array {
	switch collection {
	case "events":
		return api.Object("title", "Organ concert", "start_date", "2027-05-14 19:00:00", "end_date", "2027-05-14 21:00:00", "description", "<p>Works by Bach and Dvořák.</p>", "cost", "120")
	case "venues":
		return api.Object("venue", "Town hall", "address", "Náměstí 1", "city", "Lípa", "zip", "473 01")
	case "organizers":
		return api.Object("organizer", "Town library", "email", "library@example.com", "website", "https://example.com/library")
	}
	return api.Object("name", "Concerts", "description", "Music of all kinds.")
}

// responses describes success and errors by status.
func (d *describer) responses(rt *wprest.Route, ep *wprest.Endpoint) *php.Array {
	out := &php.Array{}
	status, mediaType, body := success(rt, ep)
	headers := api.Object("Allow", header(d, "Allow", text(), true))
	if ep.Does == tribev1.List {
		for _, name := range tribev1.TotalHeaders() {
			headers.SetString(name, header(d, name, integer(), true))
		}
	}
	cached := ep.Allowed == nil && ep.Does != tribev1.Changes && ep.Does != tribev1.Stream
	if cached { // unless a user is logged in
		headers.SetString("ETag", header(d, "ETag", text(), false))
		headers.SetString("Last-Modified", header(d, "Last-Modified", text(), false))
	}
	out.SetString(php.ToString(status), api.Object("description", d.words.Described("response."+php.ToString(status)), "headers", headers, "content", content(mediaType, body)))
	if cached {
		out.SetString("304", api.Object("description", d.words.Described("response.304")))
	}
	for _, status := range errorStatuses {
		if mayFail(rt, ep, status) {
			out.SetString(php.ToString(int64(status)), api.Object("$ref", "#/components/responses/"+errorName(status)))
		}
	}
	return out
}

// success returns the status, the media type and the schema of an endpoint's success.
func success(rt *wprest.Route, ep *wprest.Endpoint) (status int64, mediaType string, body *php.Array) {
	const json = "application/json"
	model := modelOf(rt.Collection)
	switch ep.Does {
	case tribev1.List:
		return http.StatusOK, json, ref(model + "List")
	case tribev1.Create:
		return http.StatusCreated, json, ref(model)
	case tribev1.Single, tribev1.Update, tribev1.Delete:
		return http.StatusOK, json, ref(model)
	case tribev1.Changes:
		return http.StatusOK, json, ref("ChangesPage")
	case tribev1.OpenAPI:
		return http.StatusOK, json, ref("Document")
	case tribev1.JSONFeed:
		return http.StatusOK, rt.ContentType, ref("JSONFeed")
	}
	if rt.Extension() {
		return http.StatusOK, rt.ContentType, text()
	}
	return http.StatusOK, json, ref(map[string]string{"/": "Index", "/doc": "Document"}[rt.Template])
}
