package routes

import (
	"context"
	"math"
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// checkArgs runs WordPress's steps between routing and permission, in its order:
// required arguments, then all validators, then all sanitizers and type checks.
// The first step that finds anything wrong answers.
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

// defaults are the values of arguments that the request lacks. Those that no step
// turns into nothing are not computed where they are given: defaults may depend on
// the clock.
func (ep *Endpoint) defaults(r *Request) *php.Array {
	out := &php.Array{}
	for i := range ep.args {
		a := &ep.args[i]
		given := a.sanitize == nil && a.typ == "" && r.Get(a.name) != nil
		if a.def != nil && !given {
			if v := a.def(r); v != nil {
				out.SetString(a.name, v)
			}
		}
	}
	return out
}

func (r *Request) checkRequired() error {
	var missing []string
	for i := range r.Endpoint.args {
		if a := &r.Endpoint.args[i]; a.required && r.Get(a.name) == nil {
			missing = append(missing, a.name)
		}
	}
	if missing == nil {
		return nil
	}
	e := api.Fail("rest_missing_callback_param", "params", strings.Join(missing, ", "))
	e.Data = &php.Array{}
	e.Data.SetString("params", php.Strings(missing...))
	return e
}

func (r *Request) validateArgs(ctx context.Context) error {
	var refused api.ParamError
	for i := range r.Endpoint.args {
		a := &r.Endpoint.args[i]
		if a.valid == nil {
			continue
		}
		v := r.Get(a.name)
		if v == nil {
			continue
		}
		ok, detail, err := a.valid(ctx, r, v)
		if err != nil {
			return api.Wrap("validate "+a.name, err)
		}
		if !ok {
			refused.Add(r.Place.Words, a.name, detail)
		}
	}
	return refused.Err()
}

// sanitizeArgs converts every occurrence of every declared argument, those that
// another source shadows and JSON nulls included.
func (r *Request) sanitizeArgs() error {
	var refused api.ParamError
	failed := map[string]bool{}
	for _, source := range r.Sources() {
		if source.Len() == 0 {
			continue
		}
		for i := range r.Endpoint.args {
			a := &r.Endpoint.args[i]
			v, present := source.Lookup(a.name)
			if !present {
				continue
			}
			switch {
			case a.sanitize != nil:
				source.SetString(a.name, a.sanitize(v))
			case a.typ != "":
				converted, ok := convertType(a.typ, v)
				if !ok {
					if !failed[a.name] {
						failed[a.name] = true
						refused.Add(r.Place.Words, a.name, api.InvalidType(a.name, a.typ))
					}
					continue
				}
				if text, isText := converted.(string); isText && a.language && !slices.Contains(a.enum, text) {
					if !failed[a.name] {
						failed[a.name] = true
						refused.Add(r.Place.Words, a.name, notInEnum(r.Place.Words, a.name, a.enum))
					}
					continue
				}
				source.SetString(a.name, converted)
			}
		}
	}
	return refused.Err()
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

// notInEnum is the detail of a value that is none of those allowed.
func notInEnum(words *api.Wording, name string, allowed []string) *api.Error {
	e := api.Fail("rest_not_in_enum", "param", name, "enum", words.List(allowed))
	if len(allowed) == 1 {
		e.Variant = ".one"
	}
	return e
}

// Language is the value of the language parameter, "" without one.
func (r *Request) Language() string {
	for i := range r.Endpoint.args {
		if a := &r.Endpoint.args[i]; a.language {
			return r.Text(a.name)
		}
	}
	return ""
}

// Accepts says whether an argument of the endpoint may have a value, as far as its
// validator judges.
func (ep *Endpoint) Accepts(ctx context.Context, r *Request, name string, v php.Value) (ok bool, detail *api.Error, err error) {
	for i := range ep.args {
		if a := &ep.args[i]; a.name == name && a.valid != nil {
			return a.valid(ctx, r, v)
		}
	}
	return true, nil, nil
}
