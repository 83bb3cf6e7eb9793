// Package rest answers the calendar REST namespace of a WordPress site as The Events Calendar
// does, byte for byte. In goes an HTTP request, out goes a response; all SQL is in wpstore.
//
//   - server.go: Server, New, ServeHTTP; config.go: Config in groups
//   - exchange.go: the steps that every request takes; resolve.go: its REST path
//   - exports.go: requests for iCalendar exports of the site's pages, which are no REST URLs
//   - finish.go: headers, _fields, _links, envelope, JSONP, errors; send.go: the one writer
//   - site_cache.go: the site and its routes, cached
//   - proxy_watch.go: a warning of proxies that are not trusted
//   - read_your_writes.go: which requests must not read from a replica
//   - known_differences.go: where it answers otherwise than the reference ([Differences])
//
// Packages below, each of which imports only packages before it in this list: trait (what
// differs between versions; only there are versions compared), api (kinds, errors, wording,
// Request, Response), ticketing (the settings of Event Tickets), wpsite (the site, its links
// and languages, Place),
// access (Viewer), lookup, webpicture, routes (the tables of routes and parameters, with
// checks, index and the reference's OpenAPI document), openapi (our own document), cost and
// postlink, render, then read and edit, which do not import each other, and export, which answers what feed has read of a request for an
// iCalendar export, and calfeed, which answers the complete feeds of our own with what rfc5545
// writes. login and respcache import api and wpsite only. The root joins
// them, and none of them imports it.
//
// # Walk: an anonymous list
//
// GET /wp-json/tribe/events/v1/events?tags=jazz, in order:
//
//	Server.ServeHTTP        *http.Request
//	respcache.Door.LookUp   method, headers, URL → Lookup, maybe with a cached answer, which
//	                        goes straight to Server.send
//	respcache.Build         singleflight: identical requests get one answer, built as follows
//	newExchange             → exchange, with the clock, an anonymous user, and a sitedb.Session,
//	                        through which it reads and which notes what it depends on
//	siteCache.get           → the current site with its route table
//	api.Parse               *http.Request → api.Request: method, a bag of parameters per source
//	exchange.arrive         site → Place, Viewer, Lookups of this request
//	resolve                 path, parameters → REST path /tribe/events/v1/events; Place enters the
//	                        language of the root
//	draft.begin             → the headers that every REST answer carries, JSONP's callback
//	login.Desk.Identify     headers, cookies → Identity: anonymous
//	matchRoute              REST path → routes.Route, what its pattern captures
//	Route.Endpoint          method → Endpoint: parameters, permission, handler
//	Request.CheckArgs       values → defaults, validated and converted values, or one error with
//	                        all refused parameters; looks the tag up
//	Place.Want              the language parameter → links and wording of the answer
//	Endpoint.Allowed        reading needs no permission
//	read eventList          Request → api.Response, by
//	  eventQuery            parameters, Place, Viewer, Clock, Lookups → wpstore.EventQuery and the
//	                        list's own URL (the tag is known already)
//	  Session.Events        EventQuery → ids of the page, totals
//	  Renderer.LoadEvents   ids → Set: posts, metadata, terms, venues, organizers, pictures, tickets
//	  Renderer.Event        Set, post → JSON, copied where its rows have not changed
//	  Renderer.Response     → body, and api.Learned: latest change, what could not be rendered
//	Server.finish           Response → Allow, _fields, _links, envelope, JSONP, remaining headers;
//	                        sets whether the answer is the same for all clients
//	respcache.NewAnswer     Response → respcache.Answer; Build caches it with what it depends on
//	Server.send             Response → the client: Origin, ETag or 304, compressed body
//	Config.Observe          → api.Observation for metrics and the log
//
// # Walk: a POST of an event
//
// POST /wp-json/tribe/events/v1/events with an application password, in order, without the
// steps that are the same:
//
//	Door.LookUp             a write: nothing is looked up
//	api.Parse               JSON, urlencoded or multipart body → parameters
//	Desk.Identify           Authorization → throttle, user by login, password → Identity with the
//	                        user and its capabilities; the use of the password is recorded later
//	Request.CheckArgs       required parameters, dates, zone, linked posts; a HEAD request to a
//	                        picture's URL (webpicture.Named.Accept)
//	Endpoint.Allowed        Viewer may edit events, or the answer is Viewer.Forbidden
//	Server.handle           refuses on a read-only server
//	edit events.create      Request → api.Response, by
//	  write                 pictures are fetched and stored first (Named.Fetch); opens the
//	                        transaction (sitedb.Write), with the rules of posts and languages for
//	                        this request; repeats it after a deadlock; finally removes files
//	                        without a row (Named.Drop)
//	    findParts           parameters → terms, venue, organizers, picture, dates; makes new ones
//	    setEventRow         parameters, Viewer → the post's columns
//	    saveEventRow        → row, revision, slug, status
//	    eventMeta.write     parameters, parts → metadata in the order of the reference
//	    Calendar.SyncEvent  metadata → the calendar's own tables
//	    Tx.Saved            → range of dates, time of the last save
//	  Tx.Written            → the rows as they were written; on sites with a language plugin, and
//	                        where the database may have stored something else, they are read
//	  Renderer.WrittenEvent rows, what WPML shows instead → JSON as in lists
//	Lookups.ForgetPosts     the Allow header describes the post as it is now
//	Server.finish           201 → Allow by permission of each method, headers
//	Server.send             → the client; never cached
//
// An error of any step becomes an api.Error. Server.refusal makes a Response of it, in the
// wording of the site and language. What is no REST URL is a plain 404 (notREST).
package rest
