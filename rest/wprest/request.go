package wprest

import (
	"context"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/calendar"
	"calbridge/rest/picture"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Request is a request at its endpoint: its parameters, the site and language of the response, the
// user and the time.
type Request struct {
	*api.Request
	Place  *wpsite.Place
	Viewer *authz.Viewer
	Clock  *api.Clock
	// Store holds the stores from which the request reads.
	Store   calendar.Stores
	Lookups *calendar.Lookups
	// Apart returns stores with the same settings whose results are not recorded as dependencies of
	// the response. They are for responses of any length, which aren't cached.
	Apart func(context.Context) calendar.Stores
	// Pictures are those that the request names by URL.
	Pictures *picture.Named
	Table    *Table
	Route    *Route
	Endpoint *Endpoint
	// PageCap, when not nil, returns the most entries of a page of a route.
	PageCap func(template string) int64
}

// Asker returns what a selection of events depends on besides its filter.
func (r *Request) Asker() calendar.Asker {
	return calendar.Asker{Place: r.Place, Viewer: r.Viewer, Lookups: r.Lookups}
}

// Term returns the term that the parameter id names, read from store.
func (r *Request) Term(ctx context.Context, store calendar.TermStore, tax *api.TaxonomyKind) (wpstore.Term, error) {
	id := php.ToInt(r.Get("id"))
	found, err := store.Terms(ctx, tax.Name, []int64{id})
	if err != nil {
		return wpstore.Term{}, err
	}
	t, ok := found[id]
	if !ok {
		var refused api.ParamError
		refused.Add(r.Place.Words, "id", nil)
		return t, refused.Err()
	}
	return t, nil
}

// ItemID returns the id of the post that a single route names by id or slug.
func (r *Request) ItemID(ctx context.Context, kind *api.PostKind) (int64, error) {
	if r.Endpoint.Takes("id") {
		return php.ToInt(r.Get("id")), nil
	}
	id, err := r.Lookups.PostBySlug(ctx, kind, r.Text("slug"))
	if id != 0 {
		// The Allow header depends on the post of this id.
		r.Captures.SetString("id", id)
	}
	return id, err
}

// Allow lists the methods of the route that this user may use.
func (r *Request) Allow(ctx context.Context) (string, error) {
	var methods []string
	for i := range r.Route.Endpoints {
		ep := &r.Route.Endpoints[i]
		if ep.Allowed != nil {
			ok, err := ep.Allowed(ctx, r)
			if err != nil {
				return "", err
			}
			if !ok {
				continue
			}
		}
		methods = append(methods, ep.Methods...)
	}
	return strings.Join(methods, ", "), nil
}

// JSONError returns the error for a JSON body that cannot be parsed, nil otherwise.
func (r *Request) JSONError() error {
	if r.JSONErr == nil {
		return nil
	}
	err := api.Fail("rest_invalid_json")
	err.Data = api.Object("json_error_code", int64(r.JSONErr.Code), "json_error_message", r.JSONErr.Message)
	return err
}
