package wprest

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
	out := make([]Parameter, len(ep.Args))
	for i, a := range ep.Args {
		out[i] = Parameter{
			Name: a.Name, Type: cmp.Or(a.Type, a.DocType, "string"), Format: a.schemaFormat(), Named: a.Named, Flag: a.Flag, Linked: a.Linked,
			Required: a.Required, InPath: a.InPath && strings.Contains(rt.Template, "{"+a.Name+"}"), Language: a.Language, Enum: a.Enum,
			Description: a.Describe(r.Place.Words.Argument(rt.Pattern, ep.Methods, a.Name, a.Language)),
		}
		if a.Default != nil && !a.Timely {
			out[i].Default = a.Default(r)
		}
	}
	return out
}

// schemaFormat returns the format, unless it names a type, as the reference's do.
func (a *Arg) schemaFormat() string {
	if a.Format == "string" {
		return ""
	}
	return a.Format
}
