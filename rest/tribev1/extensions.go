package tribev1

import (
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
)

// Operations that only calbridge has, if extensions are on.
const (
	// Feed is a complete iCalendar feed: of a collection of events, or of the events of an
	// item of another collection.
	Feed wprest.Verb = "feed"
	// SingleFeed is the feed of one event.
	SingleFeed wprest.Verb = "single-feed"
	// JSONFeed is a complete JSON Feed.
	JSONFeed wprest.Verb = "json-feed"
	// Changes reports what has changed in a list, and Stream reports it at once.
	Changes wprest.Verb = "changes"
	Stream  wprest.Verb = "stream"
	// Docs is the page that shows the OpenAPI document.
	Docs wprest.Verb = "docs"
	// OpenAPI is our own OpenAPI document.
	OpenAPI wprest.Verb = "openapi"
)

// extensionRoutes returns the routes of our own. To add one, add a row here and its handler to
// [Handlers]: matching, checks, index, OPTIONS, OpenAPI document, metrics and what is never
// passed on to WordPress follow. A path may capture {id}, digits, or {slug}, also as the
// beginning of a segment ({id}.ics).
func extensionRoutes() []*wprest.Route {
	feed := func(collection string, does wprest.Verb, path, contentType string, args []*wprest.Arg) *wprest.Route {
		rt := &wprest.Route{
			Collection: collection, Pattern: patternOf(path), Template: path, ContentType: contentType, Anonymous: true,
			Endpoints: []wprest.Endpoint{{Does: does, Methods: readable, Args: args}},
		}
		if does == Feed || does == JSONFeed {
			rt.Cost = wpstore.CostExport
		}
		return rt
	}
	const calendar = "text/calendar"
	out := []*wprest.Route{
		feed("", Docs, "/docs", "text/html", nil),
		feed("", OpenAPI, "/openapi.json", "application/json", nil),
		feed("events", Feed, "/events.ics", calendar, feedArgs("")),
		feed("events", JSONFeed, "/events.jsonfeed", "application/feed+json", feedArgs("")),
		changesRoute(Changes, "/events/changes", "application/json; charset=utf-8"),
		changesRoute(Stream, "/events/stream", "text/event-stream"),
		feed("events", SingleFeed, "/events/{id}.ics", calendar, idArg(postID(api.Events))),
	}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		base, args := "/"+Collection(kind), feedArgs(Singular(kind))
		out = append(out,
			feed(Collection(kind), Feed, base+"/{id}/events.ics", calendar, slices.Concat(idArg(postID(kind)), args)),
			feed(Collection(kind), Feed, base+"/by-slug/{slug}/events.ics", calendar, slices.Concat(slugArg(kind), args)))
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		base, args := "/"+TermCollection(tax), feedArgs(TermCollection(tax))
		slug := []*wprest.Arg{{Name: "slug", Keys: typeFirst, Type: "string", Required: true, InPath: true, Valid: termList(tax)}}
		out = append(out,
			feed(TermCollection(tax), Feed, base+"/{id}/events.ics", calendar, slices.Concat(idArg(termList(tax)), args)),
			feed(TermCollection(tax), Feed, base+"/by-slug/{slug}/events.ics", calendar, slices.Concat(slug, args)))
	}
	return out
}

// changesRoute returns a route about changes of the list of events.
func changesRoute(does wprest.Verb, path, contentType string) *wprest.Route {
	args := slices.DeleteFunc(slices.Clone(eventListArgs), func(a *wprest.Arg) bool {
		return a.Name == "page" || strings.HasPrefix(a.Name, "geoloc") || does == Stream && a.Name == "per_page"
	})
	args = append(args, &wprest.Arg{Name: "sync_token", Keys: typed, Type: "string", Valid: nonEmptyString})
	if does == Changes {
		args = append(args, &wprest.Arg{Name: "page_token", Keys: typed, Type: "string", Valid: nonEmptyString})
	}
	return &wprest.Route{
		Collection: "events", Pattern: patternOf(path), Template: path, ContentType: contentType, Anonymous: does == Stream,
		Endpoints: []wprest.Endpoint{{Does: does, Methods: readable, Args: args}},
	}
}

// feedArgs returns the filters of the list of events, except the one that the path has. Feeds
// have no pages, and without dates they have all events.
func feedArgs(inPath string) []*wprest.Arg {
	var out []*wprest.Arg
	for _, a := range eventListArgs {
		switch a.Name {
		case "page", "per_page", "geoloc", "geoloc_lat", "geoloc_lng", inPath:
		case "start_date", "end_date":
			optional := *a
			optional.Default, optional.Keys = nil, plain
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
