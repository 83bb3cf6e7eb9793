package routes

import (
	"calbridge/rest/phpform"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// filterOf makes a condition on events of the value of an argument, and returns the value that
// the list's own URL shows. It returns false for a value that is not a condition.
type filterOf func(v php.Value) (f wpstore.EventFilter, shown php.Value, ok bool)

// byFlag selects the events that meet a condition, or those that don't.
func byFlag(v php.Value) (f wpstore.EventFilter, shown php.Value, ok bool) {
	yes, ok := v.(bool)
	return wpstore.EventFilter{Lacks: !yes}, yes, ok
}

// byID selects the events that meet a condition on an id.
func byID(v php.Value) (f wpstore.EventFilter, shown php.Value, ok bool) {
	id := php.ToInt(v)
	return wpstore.EventFilter{IDs: []int64{id}}, id, true
}

// EventFilters returns the conditions on events that the arguments of a request are declared to
// make, and how the list's own URL shows them, in the order of the arguments.
func (r *Request) EventFilters() (filters []wpstore.EventFilter, shown []phpform.Arg) {
	for _, a := range r.Endpoint.args {
		if a.filter == nil {
			continue
		}
		v := r.Get(a.name)
		if v == nil {
			continue
		}
		if f, text, ok := a.filter(v); ok {
			f.Name = a.name
			filters, shown = append(filters, f), append(shown, phpform.Arg{Name: a.name, Value: text})
		}
	}
	return filters, shown
}
