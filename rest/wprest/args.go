package wprest

import (
	"context"
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/trait"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Arg is one declared argument of an endpoint. The index, OpenAPI documents, responses to OPTIONS,
// validation and conversion all derive from it.
type Arg struct {
	Name string
	// Keys lists the schema keywords that the index shows, in the order in which
	// the reference declares them; "required" always follows as the last one.
	Keys string
	// Type is the declared schema type (integer, boolean, string). WordPress's schema
	// rules check and convert an argument that has a type and no sanitizer.
	Type string
	// DocType is the type in the OpenAPI document where Type is empty.
	DocType string
	// Description replaces the site's wording, which covers the arguments of The Events Calendar; ""
	// means that wording.
	Description string
	// Default gives the default of this request; nil or a nil result means none.
	Default  func(*Request) php.Value
	Format   string
	Required bool
	// CSV reports that the OpenAPI document describes a form-style list.
	CSV bool
	// Named reports that entries of the list may be names or slugs besides ids.
	Named bool
	// Flag reports an untyped argument that is read as [php.Truthy] reads settings. The OpenAPI
	// document allows 0 and 1.
	Flag bool
	// Timely reports that the text of the default depends on the time.
	Timely bool
	// Linked is the kind of posts whose data entries may have, nil for none.
	Linked *api.PostKind
	// InPath reports that the OpenAPI document places the argument in the path.
	InPath bool
	// With and Without are traits: only sites with the one, and without the other, have the
	// argument. "" means all sites.
	With, Without trait.Name
	// Singular reports that the description speaks of one value, while later versions, whose words
	// the profile may have, speak of several.
	Singular bool
	// Undocumented arguments are left out of the OpenAPI document.
	Undocumented bool
	// Language reports the parameter that chooses the language.
	Language bool
	Enum     []string
	Valid    Validator
	// Posts returns the ids that Valid looks up; nil if it looks up none, or nothing else
	// does.
	Posts func(php.Value) []int64
	// Refusal is the error in the details of a refused value, nil for none.
	Refusal  *api.Error
	Sanitize func(*Request, php.Value) php.Value
	// Filter makes a condition on events of the value; nil for other arguments. The name of
	// the condition in package events is that of the argument.
	Filter Condition
}

// Shows reports whether the index shows a keyword of the schema.
func (a *Arg) Shows(keyword string) bool { return slices.Contains(strings.Fields(a.Keys), keyword) }

// ArgsOf returns the arguments of a table that a site with traits has.
func ArgsOf(args []*Arg, traits trait.Set) []*Arg {
	return slices.DeleteFunc(slices.Clone(args), func(a *Arg) bool {
		return traits.Has(a.Without) || a.With != "" && !traits.Has(a.With)
	})
}

// Describe adapts the description of the argument, in the words of a site, to what it takes there.
func (a *Arg) Describe(text string) string {
	if a.Description != "" {
		return a.Description
	}
	if a.Singular {
		return strings.Replace(text, "IDs", "ID", 1)
	}
	return text
}

// refusalDetail returns the detail of a value that the validator refuses; nil for none.
func (a *Arg) refusalDetail() *api.Error {
	if a.Refusal == nil {
		return nil
	}
	e := *a.Refusal
	e.Data = api.Object("status", int64(e.Status))
	return &e
}

// Constant returns a default that is the same for all requests.
func Constant(v php.Value) func(*Request) php.Value {
	return func(*Request) php.Value { return v }
}

// Optional returns the arguments of an update: first, then the create arguments, none of
// them required. A create argument replaces one of first with the same name in its place.
func Optional(first, create []*Arg) []*Arg {
	out := slices.Clone(first)
	for _, required := range create {
		a := *required
		a.Required = false
		if i := slices.IndexFunc(out, func(b *Arg) bool { return b.Name == a.Name }); i >= 0 {
			out[i] = &a
		} else {
			out = append(out, &a)
		}
	}
	return out
}

// languageArg returns the parameter that chooses the language, the last argument of every
// endpoint. The reference's OpenAPI document does not have it.
func languageArg(name string, offered []string) []*Arg {
	if len(offered) == 0 {
		return nil
	}
	return []*Arg{{Name: name, Keys: "type description enum", Type: "string", Enum: offered, Undocumented: true, Language: true}}
}

// Validator reports whether an endpoint accepts a value. err is an error of
// ours (the database), never the client's.
type Validator func(ctx context.Context, r *Request, v php.Value) (ok bool, err error)

// Condition makes a condition on events of the value of an argument, and returns the value that
// the list's own URL shows. It returns false for a value that is not a condition.
type Condition func(v php.Value) (f wpstore.EventFilter, shown php.Value, ok bool)

// EventFilters returns the conditions on events that the arguments of a request are declared to
// make, and how the list's own URL shows them, in the order of the arguments.
func (r *Request) EventFilters() (filters []wpstore.EventFilter, shown []phpform.Arg) {
	for _, a := range r.Endpoint.Args {
		if a.Filter == nil {
			continue
		}
		v := r.Get(a.Name)
		if v == nil {
			continue
		}
		if f, text, ok := a.Filter(v); ok {
			f.Name = a.Name
			filters, shown = append(filters, f), append(shown, phpform.Arg{Name: a.Name, Value: text})
		}
	}
	return filters, shown
}
