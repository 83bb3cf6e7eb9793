package eventlist

import (
	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"cmp"
	"slices"
)

// url returns the list's own URL, whose parameters have a fixed order. It repeats what a
// request says, not all that applies.
func (l *List) url(r *wprest.Request, language string, dates map[string]phpform.Arg, conditions []phpform.Arg) string {
	args := []phpform.Arg{{Name: "page", Value: l.Page}, {Name: "per_page", Value: l.PerPage}, dates["start_date"], dates["end_date"]}
	if search := r.Get("search"); search != nil {
		args = append(args, phpform.Arg{Name: "search", Value: search})
	}
	args = append(args, geoArgs(&r.Params)...)
	args = append(args, phpform.Arg{Name: "status", Value: r.Viewer.ShownStatus(api.Events, r.Get("status"))})
	isParent := func(a phpform.Arg) bool { return a.Name == wpstore.FilterParent }
	if at := slices.IndexFunc(conditions, isParent); at >= 0 {
		args = append(args, conditions[at])
	}
	if include, ok := r.Get("include").(*php.Array); ok {
		args = append(args, phpform.Arg{Name: "include", Value: api.JoinValues(include)})
	}
	for _, name := range relativeDates {
		args = append(args, dates[name])
	}
	if r.Place.Site.Tickets != nil && r.Get("ticketed") == true {
		args = append(args, phpform.Arg{Name: "ticketed", Value: true})
	}
	links := tribev1.LinksOf(r, r.Place.LinksFor(language))
	self := phpform.AddQueryArg(links.List(tribev1.Collection(api.Events)), args...)
	var last []phpform.Arg
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		v := r.Get(tribev1.Singular(kind))
		if arr, ok := v.(*php.Array); ok {
			v = api.JoinValues(arr)
		}
		if v != nil {
			last = append(last, phpform.Arg{Name: tribev1.Singular(kind), Value: v})
		}
	}
	if last = append(last, slices.DeleteFunc(conditions, isParent)...); len(last) > 0 {
		self = phpform.AddQueryArg(self, last...) // a second time, which encodes everything before
	}
	return self
}

// geoArgs copies arguments that only the list's URL has: distance search belongs to an add-on.
func geoArgs(params *api.Params) []phpform.Arg {
	if params.Get("geoloc") != true {
		return nil
	}
	args := []phpform.Arg{{Name: "geoloc", Value: true}}
	for _, name := range []string{"geoloc_lat", "geoloc_lng"} {
		args = append(args, phpform.Arg{Name: name, Value: cmp.Or(params.Get(name), php.Value(""))})
	}
	return args
}
