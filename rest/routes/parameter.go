package routes

import (
	"cmp"
	"strings"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// Parameter describes an argument of an endpoint to clients.
type Parameter struct {
	Name, Description string
	// Type is a type of JSON Schema.
	Type string
	// Format is a format of JSON Schema, "" for none.
	Format string
	// Named reports that entries of an array are names or slugs as well as ids.
	Named bool
	// Flag reports that 0 and 1 are the only values that are safe to send.
	Flag bool
	// Linked is the kind of posts whose ids or data the argument takes, nil for any other argument.
	Linked           *api.PostKind
	Required, InPath bool
	// Language reports that the argument chooses the language.
	Language bool
	Enum     []string
	// Default is nil if there is none, or if it depends on the time.
	Default php.Value
}

// Parameters describes the arguments of an endpoint of a route, in the words of the request's
// place.
func (r *Request) Parameters(rt *Route, ep *Endpoint) []Parameter {
	out := make([]Parameter, len(ep.args))
	for i, a := range ep.args {
		out[i] = Parameter{
			Name: a.name, Type: cmp.Or(a.typ, a.docType, "string"), Format: a.schemaFormat(), Named: a.named, Flag: a.flag, Linked: a.linked,
			Required: a.required, InPath: a.path && strings.Contains(rt.Template, "{"+a.name+"}"), Language: a.language, Enum: a.enum,
			Description: a.description(r.Place.Words.Argument(rt.Pattern, ep.Methods, a.name, a.language)),
		}
		if a.def != nil && !a.timely {
			out[i].Default = a.def(r)
		}
	}
	return out
}

// schemaFormat returns the format, unless it names a type, as the reference's do.
func (a *arg) schemaFormat() string {
	if a.format == "string" {
		return ""
	}
	return a.format
}

// Does returns what the endpoint does, "" for the index and the reference's document.
func (ep *Endpoint) Does() Verb { return ep.does }

// Collection returns the collection of the route's operations, "" for none.
func (rt *Route) Collection() string { return rt.collection }
