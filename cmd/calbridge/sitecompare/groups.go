package sitecompare

import (
	"cmp"
	"slices"

	"calbridge/compat/diff"
	"calbridge/compat/replay"
)

// Group is a kind of difference: what differs, on which route, and how often.
type Group struct {
	Route string `json:"route"`
	// Kind is status, headers, body or answer; Where the header's name or the field.
	Kind  string `json:"kind"`
	Where string `json:"where,omitempty"`
	// Count is the number of requests whose answers differ so.
	Count   int     `json:"count"`
	Example Example `json:"example"`
	Sign    string  `json:"sign"` // of Suggestion
}

// Example is one of a group's differences.
type Example struct {
	Method    string `json:"method"`
	Path      string `json:"path"`
	As        string `json:"as"`
	WordPress string `json:"wordpress"`
	Calbridge string `json:"calbridge"`
}

// Suggestion is what groups of one sign suggest.
type Suggestion struct {
	Sign     string `json:"sign"`
	Suggests string `json:"suggests"`
	Look     string `json:"look"`  // setting or fact to look at
	Count    int    `json:"count"` // requests
}

// groupKey identifies a group by what its differences have in common.
type groupKey struct {
	route       string
	part        diff.Part
	where, sign string
}

// grouping collects differences by kind.
type grouping struct {
	signs   []compiledSign
	places  *generalizer
	groups  map[groupKey]*Group
	suggest map[string]*Suggestion // by what is suggested
}

func newGrouping() *grouping {
	return &grouping{signs: compileSigns(), places: newGeneralizer(), groups: map[groupKey]*Group{}, suggest: map[string]*Suggestion{}}
}

// add counts a pair in the groups of its differences, once in each.
func (g *grouping) add(p *pair) {
	if p.outcome != replay.Different {
		return
	}
	in, under := map[groupKey]bool{}, map[string]bool{}
	for _, d := range p.refined() {
		kind := g.places.kind(d.Where)
		field := kind
		if d.Part == diff.PartBody {
			field = g.places.field(kind)
		}
		s := g.sign(p, &d, field)
		key := groupKey{p.request.route, d.Part, cmp.Or(s.together, kind), s.name}
		if !in[key] {
			in[key] = true
			g.count(key, p, &d)
		}
		if !under[s.suggests] {
			under[s.suggests] = true
			if g.suggest[s.suggests] == nil {
				g.suggest[s.suggests] = &Suggestion{Sign: s.name, Suggests: s.suggests, Look: s.look}
			}
			g.suggest[s.suggests].Count++
		}
	}
}

// sign returns the first sign of the table that fits. The table ends with rows that fit every
// difference of their part.
func (g *grouping) sign(p *pair, d *diff.Difference, where string) *sign {
	for i := range g.signs {
		if g.signs[i].fits(p, d, where) {
			return &g.signs[i].sign
		}
	}
	return &g.signs[len(g.signs)-1].sign
}

func (g *grouping) count(key groupKey, p *pair, d *diff.Difference) {
	group := g.groups[key]
	if group == nil {
		group = &Group{Route: key.route, Kind: string(key.part), Where: key.where, Sign: key.sign, Example: Example{
			Method: p.request.method, Path: p.request.target, As: p.exchange.As, WordPress: d.Recorded, Calbridge: d.Got,
		}}
		g.groups[key] = group
	}
	group.Count++
}

// sorted returns groups and suggestions, the most frequent first.
func (g *grouping) sorted() (groups []Group, suggestions []Suggestion) {
	groups, suggestions = []Group{}, []Suggestion{} // lists in JSON, never null
	for _, group := range g.groups {
		groups = append(groups, *group)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Route, b.Route), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Where, b.Where), cmp.Compare(a.Sign, b.Sign))
	})
	for _, s := range g.suggest {
		suggestions = append(suggestions, *s)
	}
	slices.SortFunc(suggestions, func(a, b Suggestion) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Sign, b.Sign), cmp.Compare(a.Suggests, b.Suggests))
	})
	return groups, suggestions
}
