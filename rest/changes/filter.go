package changes

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/eventlist"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/fingerprint"
	"calbridge/wpstore/php"
)

// asked returns the request as of some time, with look-ups of its own.
func (s *session) asked(at time.Time) *wprest.Request {
	out, stores := settled(s.r, at), s.Stores(s.store)
	lookups := calendar.NewLookups(stores, s.r.Place.Site)
	out.Store, out.Lookups = stores, &lookups
	return out
}

// settled returns a request as of some time, whose parts are copies. It reads nothing.
func settled(r *wprest.Request, at time.Time) *wprest.Request {
	out := *r
	params, viewer := *r.Request, *r.Viewer
	out.Request, out.Viewer, out.Store, out.Lookups, out.Clock = &params, &viewer, calendar.Stores{}, nil, &api.Clock{At: at}
	// What isn't part of a token unlocks nothing.
	viewer.Password, viewer.EditContext, viewer.PostPassCookie = nil, false, ""
	params.Defaults = r.Defaults.Clone()
	for name, value := range map[string]func(*wprest.Request) php.Value{"start_date": tribev1.StartDateDefault, "end_date": tribev1.EndDateDefault} {
		if params.Defaults.At(name) != nil {
			params.Defaults.SetString(name, value(&out))
		}
	}
	return &out
}

// filter is what a list shows to a user at one time.
type filter struct {
	query wpstore.EventQuery
	// hash is that of all but the dates.
	hash hash
}

func filterOf(ctx context.Context, r *wprest.Request) (filter, error) {
	q, nothing, err := eventlist.All(ctx, r)
	if err != nil {
		return filter{}, err
	}
	if nothing {
		q.Include = []int64{}
	}
	f := filter{query: q}
	q.Bounds = nil
	text, err := fingerprint.Text(q)
	f.hash = hashOf([]byte(text))
	return f, err
}

// argsHash returns the fingerprint of the arguments that a token belongs to.
func argsHash(r *wprest.Request) hash {
	values := map[string][]byte{}
	for _, source := range []*php.Array{r.Captures, r.Query, r.Form, r.JSON} { // the last one counts
		for key, v := range source.All() {
			name := key.String()
			if r.Endpoint.Takes(name) && !slices.Contains([]string{"per_page", "sync_token", "page_token"}, name) || name == "lang" {
				values[name] = phpjson.Append(nil, v)
			}
		}
	}
	text, _ := json.Marshal(values) // texts can always be written
	return hashOf(append(text, r.Place.LanguageCode()+" "+r.Place.Lang.Root+" "+r.Place.Links.RESTRoot...))
}

// edges returns queries for the events that another time than before may have brought into the
// list, or taken out of it. Bounds differ by time alone: the arguments are the same. ok is
// false if they can't be compared.
func edges(before, now wpstore.EventQuery) (out []wpstore.EventQuery, ok bool) {
	if len(before.Bounds) != len(now.Bounds) {
		return nil, false
	}
	for i, b := range before.Bounds {
		n := now.Bounds[i]
		if b.End != n.End || b.Op != n.Op {
			return nil, false
		}
		if b.Date() == n.Date() {
			continue
		}
		left, came := before, now
		left.Bounds = append(slices.Clone(before.Bounds), inverse(n))
		came.Bounds = append(slices.Clone(now.Bounds), inverse(b))
		out = append(out, left, came)
	}
	return out, true
}

// inverse returns what an occurrence meets that doesn't meet a bound.
func inverse(b wpstore.Bound) wpstore.Bound {
	b.Op = map[string]string{">=": "<", ">": "<=", "<=": ">", "<": ">="}[b.Op]
	return b
}

// between returns the query of all events that a list has shown at any time between two.
func between(before, now wpstore.EventQuery) wpstore.EventQuery {
	q := now
	q.Bounds = slices.Clone(now.Bounds)
	for i, b := range before.Bounds {
		earlier := b.Date() < q.Bounds[i].Date()
		if lower := strings.HasPrefix(b.Op, ">"); lower == earlier {
			q.Bounds[i] = b
		}
	}
	return q
}

// anywhere returns a query without its filters, for those that link to something.
func anywhere(q wpstore.EventQuery) wpstore.EventQuery {
	return wpstore.EventQuery{
		Statuses: q.Statuses, Own: q.Own, Bounds: q.Bounds, UTC: q.UTC, Order: q.Order,
		UnprotectedOnly: q.UnprotectedOnly, Passwords: q.Passwords, UnlockedFor: q.UnlockedFor,
		Hidden: q.Hidden, Language: q.Language, Occurrences: q.Occurrences, Limit: q.Limit, Offset: q.Offset,
	}
}
