package events

import (
	"reflect"
	"testing"

	"calbridge/wpstore"
)

// TestEventKey changes each field of a query, also those inside, one at a time: no
// two of the queries share their key.
func TestEventKey(t *testing.T) {
	variant, seen := "", map[string]string{}
	note := func(what string, q, other *wpstore.EventQuery) {
		key := eventKey(variant, q, other)
		if old, ok := seen[key]; ok {
			t.Errorf("%s has the key of %s", what, old)
		}
		seen[key] = what
	}
	full := func() *wpstore.EventQuery {
		yes, parent := true, int64(3)
		return &wpstore.EventQuery{
			Statuses: []string{"a", "b"}, Own: &wpstore.Own{Author: 1, Statuses: []string{"c"}}, Bounds: []wpstore.Bound{{End: true, Op: ">=", Value: "x"}}, Search: []wpstore.SearchTerm{{Text: "s", Exclude: true}},
			Passwords: []string{"p"}, Categories: []int64{1}, Tags: []int64{2}, Venues: []int64{3}, Organizers: []int64{4}, EventIDs: wpstore.EventIDs{Include: []int64{5}, Exclude: []int64{6}},
			EventMarks: wpstore.EventMarks{Featured: &yes, Tickets: &wpstore.TicketFilter{Providers: []wpstore.TicketProvider{"rsvp"}}}, Parent: &parent, Language: wpstore.InLanguage{Plugin: "wpml", Code: "cs", Also: "en", Posts: 1, Terms: 2},
		}
	}
	note("the zero query", &wpstore.EventQuery{}, nil)
	note("a full one", full(), nil)
	note("with another", full(), &wpstore.EventQuery{})
	note("with itself", full(), full())
	note("joined differently", &wpstore.EventQuery{Statuses: []string{"ab"}}, nil)
	note("split differently", &wpstore.EventQuery{Statuses: []string{"a", "b"}}, nil)
	fields := reflect.TypeFor[wpstore.EventQuery]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		empty := full()
		if v := reflect.ValueOf(empty).Elem().Field(i); !v.IsZero() {
			v.SetZero()
			note("without "+name, empty, nil)
			if v.Kind() == reflect.Slice {
				v.Set(reflect.MakeSlice(v.Type(), 0, 0))
				note("with empty "+name, empty, nil)
			}
		}
		if name == "Language" { // see below
			continue
		}
		for k := range leaves(reflect.ValueOf(full()).Elem().Field(i)) {
			changed := full()
			v := reflect.ValueOf(changed).Elem().Field(i)
			change(leaves(v)[k])
			note("with another "+name, changed, nil)
		}
	}
	for i, in := range []wpstore.InLanguage{{Plugin: "polylang", Code: "cs", Also: "en", Posts: 1, Terms: 2}, {Plugin: "wpml", Code: "de", Also: "en", Posts: 1, Terms: 2},
		{Plugin: "wpml", Code: "cs", Also: "de", Posts: 1, Terms: 2}, {Plugin: "wpml", Code: "cs", Also: "en", Posts: 2, Terms: 2},
		{Plugin: "wpml", Code: "cs", Also: "en", Posts: 1, Terms: 3}, {Plugin: "wpml", Code: "cs", Also: "en", Scan: true, Posts: 1, Terms: 2}} {
		q := full()
		q.Language = in
		note("in another language "+string(rune('0'+i)), q, nil)
	}
	variant = "el"
	note("with an index", full(), nil)
}

// leaves returns the texts, numbers and flags inside a value.
func leaves(v reflect.Value) []reflect.Value {
	var out []reflect.Value
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out = leaves(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			out = append(out, leaves(v.Field(i))...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			out = append(out, leaves(v.Index(i))...)
		}
	default:
		out = append(out, v)
	}
	return out
}

func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "!")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		v.SetInt(v.Int() + 1)
	}
}
