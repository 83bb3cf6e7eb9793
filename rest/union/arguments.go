package union

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	defaultPerPage = 50
	maxPerPage     = 500
	// maxNames limits the entries of sites, and of categories and tags.
	maxNames = 1000
	maxTerms = 20
	// maxQuery limits the length of a query in bytes.
	maxQuery = 16 << 10
)

// query is a request for a part of the calendar.
type query struct {
	sites []string // nil: all
	// resumes reports that the client has a token, so that sites may be gone that were public before.
	resumes bool
	perPage int
	after   *key // nil: from the beginning
	// terms has the slugs by parameter. passed has the other parameters that each site reads.
	terms  map[string][]string
	passed url.Values
	// own has all parameters for the next link, without the cursor.
	own url.Values
}

// passedOn returns the parameters that each site's own list reads.
func passedOn() []string {
	return []string{"start_date", "end_date", "starts_after", "starts_before", "ends_after", "ends_before", "search", "featured"}
}

// meaningless returns the parameters of a site's list that mean nothing across sites.
func meaningless() []string {
	return []string{"page", "venue", "organizer", "include", "post_parent", "status", "geoloc", "geoloc_lat", "geoloc_lng", "strict_dates", "password", "ticketed", "lang"}
}

// parse returns the query of a request, or a refusal.
func parse(raw string) (*query, error) {
	if len(raw) > maxQuery {
		return nil, refuse(414, "calbridge_query_too_long", "The query is too long.", nil)
	}
	got, err := url.ParseQuery(raw)
	if err != nil {
		return nil, refuse(400, "calbridge_invalid_query", "The query cannot be read.", nil)
	}
	q := &query{perPage: defaultPerPage, terms: map[string][]string{}, passed: url.Values{}, own: url.Values{}}
	for _, name := range meaningless() {
		if got.Has(name) || got.Has(name+"[]") {
			return nil, invalid(name, "This parameter has no meaning for events of several sites.")
		}
	}
	for _, name := range passedOn() {
		if v := got[name]; len(v) > 0 {
			q.passed.Set(name, v[len(v)-1])
			q.own.Set(name, v[len(v)-1])
		}
	}
	for _, name := range []string{"categories", "tags"} {
		slugs, given := names(got, name)
		if !given {
			continue
		}
		switch {
		case len(slugs) == 0 || len(slugs) > maxTerms:
			return nil, invalid(name, "Give 1 to "+strconv.Itoa(maxTerms)+" slugs, separated by commas.")
		case slices.ContainsFunc(slugs, digits):
			return nil, invalid(name, "Give slugs. An id belongs to one site only.")
		}
		q.terms[name] = slugs
		q.own.Set(name, strings.Join(slugs, ","))
	}
	if sites, given := names(got, "sites"); given {
		if len(sites) == 0 || len(sites) > maxNames {
			return nil, invalid("sites", "Give 1 to "+strconv.Itoa(maxNames)+" ids or paths, separated by commas.")
		}
		q.sites = sites
		q.own.Set("sites", strings.Join(sites, ","))
	}
	if v := got["per_page"]; len(v) > 0 {
		n, err := strconv.Atoi(v[len(v)-1])
		if err != nil || n < 1 || n > maxPerPage {
			return nil, invalid("per_page", "Give a number from 1 to "+strconv.Itoa(maxPerPage)+".")
		}
		q.perPage = n
		q.own.Set("per_page", strconv.Itoa(n))
	}
	if v := got["cursor"]; len(v) > 0 {
		k, ok := parseCursor(v[len(v)-1])
		if !ok {
			return nil, invalid("cursor", "Use the link next of the previous response.")
		}
		q.after = &k
	}
	return q, nil
}

// names returns the entries of a list, which may be written as name=a,b or name[]=a&name[]=b.
func names(got url.Values, name string) (entries []string, given bool) {
	var out []string
	for _, v := range slices.Concat(got[name], got[name+"[]"]) {
		for entry := range strings.SplitSeq(v, ",") {
			if entry = strings.TrimSpace(entry); entry != "" && !slices.Contains(out, entry) {
				out = append(out, entry)
			}
		}
	}
	return out, got.Has(name) || got.Has(name+"[]")
}

// digits reports whether s looks like an id.
func digits(s string) bool { return strings.Trim(s, "+-.0123456789") == "" }

// following returns the query of the events after k.
func (q *query) following(k key) string {
	v := url.Values{"cursor": {k.cursor()}}
	for name, value := range q.own {
		v[name] = value
	}
	return v.Encode()
}

// margin is the time by which the bound that a site is asked for lies before the cursor. It covers
// the zone of the event, the zone of the site, and the hour at which the site's days begin.
const margin = 48 * time.Hour

// narrowed returns the dates of the query, raised so that the site's list begins shortly before the
// cursor. It changes nothing if the query's own bound is later, or cannot be compared.
func (q *query) narrowed(now time.Time) url.Values {
	v := url.Values{}
	for name, value := range q.passed {
		v[name] = value
	}
	if q.after == nil {
		return v
	}
	from := time.Unix(q.after.start, 0).UTC().Add(-margin).Truncate(24 * time.Hour)
	if from.Year() < 1971 { // sites read the first years of Unix time in ways of their own
		return v
	}
	if v.Has("starts_after") { // it replaces start_date, and means the end of that day
		if from = from.AddDate(0, 0, -1); raises(from, v.Get("starts_after")) {
			v.Set("starts_after", from.Format(time.DateOnly))
		}
		return v
	}
	// Without start_date, lists begin today, unless another of these is given.
	relative := v.Has("starts_before") || v.Has("ends_after") || v.Has("ends_before")
	switch {
	case v.Has("start_date") && raises(from, v.Get("start_date")),
		!v.Has("start_date") && (relative || from.After(now.Add(margin))):
		v.Set("start_date", from.Format(time.DateOnly))
	}
	return v
}

// raises reports whether from is a later day than a parameter's value.
func raises(from time.Time, value string) bool {
	for _, layout := range []string{time.DateOnly, time.DateTime} {
		if t, err := time.Parse(layout, value); err == nil {
			return from.After(t)
		}
	}
	return false
}
