package events

import (
	"fmt"
	"reflect"
	"testing"

	"calbridge/wpstore"
)

// TestEventKey changes each field of a query, also those inside, one at a time: no two of the
// queries share their key.
func TestEventKey(t *testing.T) {
	variant, seen := "", map[string]string{}
	note := func(what string, q, other *wpstore.EventQuery) {
		key := eventKey(variant, q, other)
		if old, ok := seen[key]; ok {
			t.Errorf("%s has the key of %s", what, old)
		}
		seen[key] = what
	}
	note("the zero query", &wpstore.EventQuery{}, nil)
	note("a full one", filled(t), nil)
	note("with another", filled(t), &wpstore.EventQuery{})
	note("with itself", filled(t), filled(t))
	note("joined differently", &wpstore.EventQuery{Statuses: []string{"ab"}}, nil)
	note("split differently", &wpstore.EventQuery{Statuses: []string{"a", "b"}}, nil)
	for _, p := range places(reflect.ValueOf(filled(t)).Elem(), "") {
		q := filled(t)
		what := p.in(q)
		switch what.Kind() {
		case reflect.Struct: // its fields are places too
		case reflect.Pointer, reflect.Slice:
			what.SetZero()
			note("without "+p.name, q, nil)
			if what.Kind() == reflect.Slice {
				what.Set(reflect.MakeSlice(what.Type(), 0, 0))
				note("with empty "+p.name, q, nil)
			}
		default:
			change(what)
			note("with another "+p.name, q, nil)
		}
	}
	variant = "el"
	note("with an index", filled(t), nil)
}

// TestPlaces: a field of any kind has a place, and is filled.
func TestPlaces(t *testing.T) {
	type inner struct{ Text string }
	v := struct {
		Flag   bool
		Number int64
		Text   string
		Mark   *bool
		Filter *inner
		IDs    []int64
		inner
		Bounds []inner
	}{}
	fill(t, reflect.ValueOf(&v).Elem())
	var names []string
	for _, p := range places(reflect.ValueOf(v), "") {
		names = append(names, p.name)
	}
	const want = "[Flag Number Text Mark Mark* Filter Filter* Filter*.Text IDs IDs[] inner inner.Text Bounds Bounds[] Bounds[].Text]"
	if got := fmt.Sprint(names); got != want {
		t.Errorf("places %s, want %s", got, want)
	}
	if !v.Flag || v.Number == 0 || v.Mark == nil || !*v.Mark || v.Filter == nil || len(v.IDs) != 1 || v.inner.Text == "" || v.Bounds[0].Text == "" {
		t.Errorf("not filled: %+v", v)
	}
}

// filled returns a query in which every field has a value, whatever fields there are.
func filled(t *testing.T) *wpstore.EventQuery {
	t.Helper()
	q := &wpstore.EventQuery{}
	fill(t, reflect.ValueOf(q).Elem())
	return q
}

func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(1)
	case reflect.String:
		v.SetString("s")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	default:
		t.Fatalf("tests can't fill a field of the type %s", v.Type())
	}
}

// place is a value inside a query: a field, what it points to, or an element of a list.
type place struct {
	name string
	path []int // of fields; -1 is what a pointer leads to, -2 the first element of a list
}

// places returns the places inside a filled value.
func places(v reflect.Value, name string, path ...int) (out []place) {
	add := func(v reflect.Value, name string, step int) {
		at := append(append([]int{}, path...), step)
		out = append(out, place{name, at})
		out = append(out, places(v, name, at...)...)
	}
	switch v.Kind() {
	case reflect.Pointer:
		add(v.Elem(), name+"*", -1)
	case reflect.Slice:
		add(v.Index(0), name+"[]", -2)
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i).Name
			if name != "" {
				field = name + "." + field
			}
			add(v.Field(i), field, i)
		}
	}
	return out
}

// in returns the value at the place in a query.
func (p place) in(q *wpstore.EventQuery) reflect.Value {
	v := reflect.ValueOf(q).Elem()
	for _, step := range p.path {
		switch step {
		case -1:
			v = v.Elem()
		case -2:
			v = v.Index(0)
		default:
			v = v.Field(step)
		}
	}
	return v
}

// change gives a text, a number or a flag another value.
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
