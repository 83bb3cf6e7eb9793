package rest

import (
	"maps"
	"slices"
)

// ErrorCodes lists what Observation.Code may be, besides "", in order.
func ErrorCodes() []string { return slices.Sorted(maps.Keys(errorTable)) }
