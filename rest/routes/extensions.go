package routes

import (
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
)

// Operations that only calbridge has, if extensions are on.
const (
	// Feed is a complete iCalendar feed: of a collection of events, or of the events of an
	// item of another collection.
	Feed Verb = "feed"
	// SingleFeed is the feed of one event.
	SingleFeed Verb = "single-feed"
	// JSONFeed is a complete JSON Feed.
	JSONFeed Verb = "json-feed"
	// Changes reports what has changed in a list, and Stream reports it at once.
	Changes Verb = "changes"
	Stream  Verb = "stream"
	// Docs is the page that shows the OpenAPI document.
	Docs Verb = "docs"
	// OpenAPI is our own OpenAPI document.
	OpenAPI Verb = "openapi"
)

// extensionRoutes returns the routes of our own. To add one, add a row here and its handler to
// [Handlers]: matching, checks, index, OPTIONS, OpenAPI document, metrics and what is never
// passed on to WordPress follow. A path may capture {id}, digits, or {slug}, also as the
// beginning of a segment ({id}.ics).
func extensionRoutes() []*Route {
	feed := func(collection string, does Verb, path, contentType string, args []*arg) *Route {
		return &Route{
			collection: collection, Pattern: patternOf(path), Template: path, ContentType: contentType, Anonymous: true,
			Endpoints: []Endpoint{{does: does, Methods: readable, args: args}},
		}
	}
	const calendar = "text/calendar"
	out := []*Route{
		feed("", Docs, "/docs", "text/html", nil),
		feed("", OpenAPI, "/openapi.json", "application/json", nil),
		feed("events", Feed, "/events.ics", calendar, feedArgs("")),
		feed("events", JSONFeed, "/events.jsonfeed", "application/feed+json", feedArgs("")),
		changesRoute(Changes, "/events/changes", "application/json; charset=utf-8"),
		changesRoute(Stream, "/events/stream", "text/event-stream"),
		feed("events", SingleFeed, "/events/{id}.ics", calendar, idArg(postID(api.Events))),
	}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		base, args := "/"+tribev1.Collection(kind), feedArgs(tribev1.Singular(kind))
		out = append(out,
			feed(tribev1.Collection(kind), Feed, base+"/{id}/events.ics", calendar, slices.Concat(idArg(postID(kind)), args)),
			feed(tribev1.Collection(kind), Feed, base+"/by-slug/{slug}/events.ics", calendar, slices.Concat(slugArg(kind), args)))
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		base, args := "/"+tribev1.TermCollection(tax), feedArgs(tribev1.TermCollection(tax))
		slug := []*arg{{name: "slug", keys: typeFirst, typ: "string", required: true, path: true, valid: termList(tax)}}
		out = append(out,
			feed(tribev1.TermCollection(tax), Feed, base+"/{id}/events.ics", calendar, slices.Concat(idArg(termList(tax)), args)),
			feed(tribev1.TermCollection(tax), Feed, base+"/by-slug/{slug}/events.ics", calendar, slices.Concat(slug, args)))
	}
	return out
}

// changesRoute returns a route about changes of the list of events.
func changesRoute(does Verb, path, contentType string) *Route {
	args := slices.DeleteFunc(slices.Clone(eventListArgs), func(a *arg) bool {
		return a.name == "page" || strings.HasPrefix(a.name, "geoloc") || does == Stream && a.name == "per_page"
	})
	args = append(args, &arg{name: "sync_token", keys: typed, typ: "string", valid: nonEmptyString})
	if does == Changes {
		args = append(args, &arg{name: "page_token", keys: typed, typ: "string", valid: nonEmptyString})
	}
	return &Route{
		collection: "events", Pattern: patternOf(path), Template: path, ContentType: contentType, Anonymous: does == Stream,
		Endpoints: []Endpoint{{does: does, Methods: readable, args: args}},
	}
}

// feedArgs returns the filters of the list of events, except the one that the path has. Feeds
// have no pages, and without dates they have all events.
func feedArgs(inPath string) []*arg {
	var out []*arg
	for _, a := range eventListArgs {
		switch a.name {
		case "page", "per_page", "geoloc", "geoloc_lat", "geoloc_lng", inPath:
		case "start_date", "end_date":
			optional := *a
			optional.def, optional.keys = nil, plain
			out = append(out, &optional)
		default:
			out = append(out, a)
		}
	}
	return out
}

// patternOf returns the pattern of a path as the index prints it.
func patternOf(path string) string {
	return strings.NewReplacer("{id}", `(?P<id>\d+)`, "{slug}", `(?P<slug>[^/]+)`, ".", `\.`).Replace(path)
}

// match reports whether the route of our own has a path, and what it captures.
func (rt *Route) match(path string) (name, value string, ok bool) {
	segments, wanted := strings.Split(path, "/"), strings.Split(rt.Template, "/")
	if len(segments) != len(wanted) {
		return "", "", false
	}
	for i, want := range wanted {
		before, after, captures := strings.Cut(want, "}")
		if !captures {
			if asciiLower(segments[i]) != want {
				return "", "", false
			}
			continue
		}
		if len(segments[i]) <= len(after) || asciiLower(segments[i][len(segments[i])-len(after):]) != after {
			return "", "", false
		}
		name, value = strings.TrimPrefix(before, "{"), segments[i][:len(segments[i])-len(after)]
		if name == "id" && !allDigits(value) {
			return "", "", false
		}
	}
	return name, value, true
}
