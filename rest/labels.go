package rest

import (
	"maps"
	"slices"
)

// RouteTemplates lists what Observation.Route may be, besides "".
func RouteTemplates() []string {
	var out []string
	for _, rt := range newRoutes(nil) {
		out = append(out, rt.template)
	}
	return out
}

// ErrorCodes lists what Observation.Code may be, besides "", in order.
func ErrorCodes() []string { return slices.Sorted(maps.Keys(errorTable)) }
