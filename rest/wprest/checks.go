package wprest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// CheckArgs takes WordPress's steps between routing and permission, in its order: required
// arguments, then all validators, then all sanitizers and type checks. The first step that refuses
// anything decides the response.
func (r *Request) CheckArgs(ctx context.Context) error {
	r.Defaults = r.Endpoint.defaults(r)
	if err := r.checkRequired(); err != nil {
		return err
	}
	if err := r.validateArgs(ctx); err != nil {
		return err
	}
	return r.sanitizeArgs()
}

// defaults returns the values of arguments that the request lacks. A default that may depend
// on the clock is computed only if it is needed; an argument that a sanitizer or a type
// check may turn into null always needs it.
func (ep *Endpoint) defaults(r *Request) *php.Array {
	out := &php.Array{}
	for _, a := range ep.Args {
		given := a.Sanitize == nil && a.Type == "" && r.Get(a.Name) != nil
		if a.Default != nil && !given {
			if v := a.Default(r); v != nil {
				out.SetString(a.Name, v)
			}
		}
	}
	return out
}

func (r *Request) checkRequired() error {
	var missing []string
	for _, a := range r.Endpoint.Args {
		if a.Required && r.Get(a.Name) == nil {
			missing = append(missing, a.Name)
		}
	}
	if missing == nil {
		return nil
	}
	e := api.Fail("rest_missing_callback_param", "params", strings.Join(missing, ", "))
	e.Data = api.Object("params", php.Strings(missing...))
	return e
}

func (r *Request) validateArgs(ctx context.Context) error {
	for _, a := range r.Endpoint.Args {
		if v := r.Get(a.Name); a.Posts != nil && v != nil {
			r.Lookups.Expect(a.Posts(v)...)
		}
	}
	var refused api.ParamError
	for _, a := range r.Endpoint.Args {
		v := r.Get(a.Name)
		if a.Valid == nil || v == nil {
			continue
		}
		ok, err := a.Valid(ctx, r, v)
		if err != nil {
			return fmt.Errorf("validate %s: %w", a.Name, err)
		}
		if !ok {
			refused.Add(r.Place.Words, a.Name, a.refusalDetail())
		}
	}
	return refused.Err()
}

// sanitizeArgs converts every occurrence of every declared argument, including JSON nulls and those
// that another source shadows. Refused arguments are named in the order of the request, not in that
// of the declarations.
func (r *Request) sanitizeArgs() error {
	declared := make(map[php.Key]*Arg, len(r.Endpoint.Args))
	for _, a := range r.Endpoint.Args {
		declared[php.KeyOf(a.Name)] = a
	}
	var refused api.ParamError
	failed := map[string]bool{}
	for _, source := range r.Sources() {
		for key, v := range source.All() {
			a, ok := declared[key]
			if !ok {
				continue
			}
			converted, detail := a.convert(r, v)
			if detail == nil {
				source.Set(key, converted)
			} else if !failed[a.Name] {
				failed[a.Name] = true
				refused.Add(r.Place.Words, a.Name, detail)
			}
		}
	}
	return refused.Err()
}

// convert sanitizes v, or checks and converts it to the type of the argument.
func (a *Arg) convert(r *Request, v php.Value) (php.Value, *api.Error) {
	switch {
	case a.Sanitize != nil:
		return a.Sanitize(r, v), nil
	case a.Type == "":
		return v, nil
	}
	converted, ok := convertType(a.Type, v)
	if !ok {
		return nil, api.InvalidType(a.Name, a.Type)
	}
	if text, isText := converted.(string); isText && a.Language && !slices.Contains(a.Enum, text) {
		return nil, notInEnum(r.Place.Words, a.Name, a.Enum)
	}
	return converted, nil
}

// convertType checks v against a schema type and converts it, as WordPress's
// default argument parser does.
func convertType(typ string, v php.Value) (php.Value, bool) {
	switch typ {
	case "string":
		s, ok := v.(string)
		return s, ok
	case "integer":
		if !php.IsNumeric(v) {
			return nil, false
		}
		if f := php.ToFloat(v); math.Round(f) != f {
			return nil, false
		}
		return php.ToInt(v), true
	case "boolean":
		switch v := v.(type) {
		case bool:
			return v, true
		case int64:
			return v == 1, v == 0 || v == 1
		case string:
			switch strings.ToLower(v) {
			case "true", "1":
				return true, true
			case "false", "0":
				return false, true
			}
		}
	}
	return nil, false
}

// notInEnum returns the detail of a value that is not allowed.
func notInEnum(words *api.Wording, name string, allowed []string) *api.Error {
	e := api.Fail("rest_not_in_enum", "param", name, "enum", words.List(allowed))
	if len(allowed) == 1 {
		e.Variant = ".one"
	}
	return e
}

// Language returns the value of the language parameter, "" without one.
func (r *Request) Language() string {
	for _, a := range r.Endpoint.Args {
		if a.Language {
			return r.Text(a.Name)
		}
	}
	return ""
}
