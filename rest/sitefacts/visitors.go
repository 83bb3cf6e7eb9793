package sitefacts

import (
	"cmp"
	"slices"
)

// VisitorHook is a callback whose own file reads who sent the request.
type VisitorHook struct {
	Hook
	// Code is the plugin or theme that the file belongs to, as in Suspects, or the file.
	Code string `json:"code"`
	// Reads are the names of PHP's server variables, sorted; "*" where it may be any.
	Reads []string `json:"reads"`
}

// visitorHooks returns the callbacks that the companion plugin reports, nil where it is too old to.
func visitorHooks(f *companionFacts) any {
	if f.Visitors == nil {
		return nil
	}
	hooks := make([]VisitorHook, len(f.Visitors))
	for i, h := range f.Visitors {
		reads := slices.Sorted(slices.Values(h.Reads))
		hooks[i] = VisitorHook{Hook{h.Name, place(h.Callback, h.File, h.Line)}, cmp.Or(partOf(h.File), h.File), slices.Compact(reads)}
	}
	slices.SortFunc(hooks, func(a, b VisitorHook) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Where, b.Where))
	})
	return hooks
}

// VisitorHooks returns the callbacks whose own file reads who sent the request, sorted by the code
// that they belong to. known is false if no source reports them.
func (d *Document) VisitorHooks() (hooks []VisitorHook, known bool) {
	return value[[]VisitorHook](d, VisitorHooks), d.From(VisitorHooks) != ""
}
