package tribev1

import (
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

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
