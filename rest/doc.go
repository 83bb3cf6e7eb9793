// Package rest serves the calendar REST namespace of a WordPress site. Its responses are those
// of The Events Calendar, byte for byte. It turns an HTTP request into a response; all SQL is in
// wpstore.
//
//   - server.go: Server, New, ServeHTTP; config.go: Config in groups
//   - answered.go: the response to a request before it is sent, for callers that may send another
//     one
//   - exchange.go: the steps of every request; resolve.go: from a URL to its REST path
//   - network.go: what sites of a network answer that are closed, and paths outside their API
//   - exports.go: iCalendar exports of the site's pages, whose URLs are not REST URLs
//   - finish.go: headers, _fields, _links, envelope, JSONP, errors; send.go: the only writer;
//     cors.go: answers to an Origin
//   - site_cache.go: the cached site with its route table
//   - proxy_watch.go: a warning about proxies that are not trusted
//   - read_your_writes.go: which requests must not read from a replica
//   - known_differences.go: where responses differ from the reference ([Differences])
//
// The packages below it, in order of their imports. Each imports only packages that come before
// it in this list:
//
//   - trait: differences between versions of WordPress and TEC; only here are versions compared
//   - api: kinds, errors, wording, Request, Response
//   - ticketing: the settings of Event Tickets
//   - wpsite: the site, its links and languages, Place
//   - authz: Viewer
//   - calendar: Filter, the events that a client selects, and its query; Lookups of one request
//   - picture: pictures that a write names by URL
//   - wprest: the engine: Dialect, finding routes, checking arguments, index
//   - tribev1: The Events Calendar's API: the tables of its routes and arguments, its names, error
//     codes and URLs, and its OpenAPI document
//   - tribev1/openapi: our own OpenAPI document
//   - cost: prices
//   - tribev1/render: rows as JSON
//   - tribev1/eventlist: arguments of lists of events → query
//   - tribev1/read and tribev1/edit: the handlers; they do not import each other
//   - export: responses to the iCalendar exports that exporturl has parsed
//   - calfeed: our own complete feeds, in the format that rfc5545 writes
//
// Package union merges the lists of many sites. It knows them by their responses only.
//
// login and respcache import only api and wpsite. This package joins them all, and none of them
// imports it.
//
// # Walk: an anonymous list
//
// These are the steps of GET /wp-json/tribe/events/v1/events?tags=jazz, in order. An arrow leads
// from what a step takes to what it returns.
//
//	Server.ServeHTTP        receives the *http.Request; respond takes the following steps, and
//	                        Send the last two
//	respcache.Reader.LookUp method, headers, URL → Lookup. On a hit, the cached response goes
//	                        straight to Server.send
//	respcache.Build         singleflight: identical requests share one response, which the
//	                        following steps build
//	newExchange             → exchange, with the clock, an anonymous user and a sitedb.Session.
//	                        All reads go through the session's stores (storesOf). It collects
//	                        what the response depends on
//	siteCache.get           → the current site with its route table
//	api.Parse               *http.Request → api.Request: method, one set of parameters per source
//	exchange.arrive         site → Place, Viewer and Lookups of this request
//	resolve                 path, parameters → REST path /tribe/events/v1/events; sets the Place
//	                        to the language of the URL's root
//	prelude.begin           → the headers of every REST response, the JSONP callback
//	Authenticator.Identify  headers, cookies → Identity, here anonymous
//	matchRoute              REST path → wprest.Table of its namespace, wprest.Route, and the values
//	                        that its pattern captures
//	Route.Endpoint          method → Endpoint: parameters, permission, handler
//	Request.CheckArgs       values → validated and converted values with defaults, or one error
//	                        that lists all refused parameters; looks the tag up
//	Place.Want              language parameter → links and wording of the response
//	Endpoint.Allowed        checks the permission; reading needs none
//	read eventList          Request → api.Result, in these steps:
//	  eventlist.New         parameters, Clock → calendar.Filter, and the list's own URL
//	  Filter.Query          Place, Viewer, Lookups → wpstore.EventQuery; the tag has been looked up
//	                        already
//	  EventStore.Events     EventQuery → ids of the page, totals
//	  Renderer.LoadEvents   ids → Set: posts, metadata, terms, venues, organizers, pictures, tickets
//	  Renderer.Event        Set, post → JSON, from the event cache if its rows have not changed
//	  Renderer.Result       → body, and api.Rendering: latest change, what could not be rendered
//	Server.finish           Result → api.Response: Allow, _fields, _links, envelope, JSONP, remaining
//	                        headers, and whether the response is the same for all clients
//	respcache.NewAnswer     Response → respcache.Answer, which Build caches with its dependencies
//	Server.send             Response → the client: Origin, ETag or 304, compressed body
//	Config.Observe          → api.Observation for metrics and the log
//
// # Walk: a POST of an event
//
// These are the steps of POST /wp-json/tribe/events/v1/events with an application password, in
// order. Steps that are the same as above are left out.
//
//	Reader.LookUp           looks nothing up, because the request is a write
//	api.Parse               JSON, urlencoded or multipart body → parameters
//	Authenticator.Identify  Authorization → Identity with the user and its capabilities, by
//	                        throttle, user name and password. The use of the password is recorded
//	                        after the response
//	Request.CheckArgs       checks required parameters, dates, zone and linked posts; sends a HEAD
//	                        request to a picture's URL (picture.Named.Accept)
//	Endpoint.Allowed        requires the right to edit events; otherwise the response is
//	                        Viewer.Forbidden
//	Server.handle           refuses writes on a read-only server; gives the handler the session
//	edit events.create      Request → api.Result, in these steps:
//	  write                 fetches and stores the pictures first (Named.Fetch). Then opens the
//	                        transaction (sitedb.Write) with this request's rules for posts and
//	                        languages, and repeats it after a deadlock. Finally removes picture
//	                        files without a row (Named.Drop)
//	    partsFinder.find    parameters → terms, venue, organizers, picture, dates
//	    setEventRow         parameters, Viewer → the post's columns
//	    partsFinder.make    creates the terms, venue and organizers that do not exist
//	    saveEventRow        → row, revision, slug, status
//	    eventMeta.write     parameters, parts → metadata, in the order of the reference
//	    Calendar.SyncEvent  metadata → the calendar's own tables
//	    Tx.Saved            → range of dates, time of the last save
//	  Tx.Written            → the rows as written. They are read again on sites with a language
//	                        plugin, and where the database may have stored something else
//	  Renderer.WrittenEvent rows, what WPML shows instead → JSON as in lists
//	Lookups.ForgetPosts     drops cached posts, so that Allow describes the post as it is now
//	Server.finish           Result, 201 → Allow by permission of each method, headers
//	Server.send             → the client; never cached
//
// # Walk: an export, and mode auto
//
// GET /events/?ical=1 goes the way of a list up to resolve, which reports that it is not a REST URL.
// Then:
//
//	Server.page             exporturl.Parse: path, query → exporturl.Request
//	login.IdentifyVisitor   cookies → Identity
//	export.Handler.Answer   → export.Answer, or ErrDeclined if only WordPress knows the page. The
//	                        response is then a 404 that [api.Answered.Elsewhere] reports
//	Server.send             as above
//
// In mode auto, package rollout calls Server.Answer instead of ServeHTTP. The steps are the same up
// to Server.send: rollout decides about the [api.Answered], sends it or has WordPress answer, and
// closes it.
//
// An error of any step becomes an api.Error. Server.refusal turns it into a Response in the
// wording of the site and language. A URL that is not a REST URL gets a plain 404 (notREST).
package rest
