// Package union answers one calendar over many sites: it merges the public lists of events of
// their own APIs.
//
//   - union.go: Site, Source, Handler, the response
//   - arguments.go: the query's parameters, and the narrowed query of each site
//   - cursor.go: the position after the last event of a response
//   - list.go: the events of one site, read page by page
//   - merge.go: the merge by start
//   - feed.go: the feeds
//   - changes.go: what has changed, site by site; position.go: the token
//   - stream.go: the stream of changes
//
// It knows sites by [Source] and by their responses to anonymous requests only, so it cannot show
// more than they do.
//
// # Endpoint
//
// GET {main site}/wp-json/calbridge/v1/network/events takes these parameters:
//
//   - sites: ids and paths of public sites, separated by commas; all public ones by default
//   - start_date, end_date, starts_after, starts_before, ends_after, ends_before, search, featured:
//     as each site's own list reads them
//   - categories, tags: slugs, separated by commas. A site without any of them has no matching
//     events. A slug of digits only is refused, because sites would read it as an id
//   - per_page: 1 to 500, 50 by default
//   - cursor: from the link next of the previous response
//
// Other filters of the list (such as venue) and page are refused, because they mean nothing across
// sites. All other parameters are ignored, as in WordPress.
//
// The response has these members:
//
//   - events: each with the bytes of its site's own list, and site {id, name, url} as last member
//   - sites: the sites that took part, each with missing, the number of events that it would have between
//     the first and the last one of the response and that are not proven (only in mode auto; without it, 0)
//   - left_out: the number of sites that did not, by reason: not_public (of the network; only without
//     the parameter sites), closed (the site refuses anonymous requests), failed, not_proven (in mode
//     auto, this kind of list is WordPress's to answer)
//   - missing: the number of sites that were chosen and could not answer
//   - next: the URL of the following events, if there may be any
//
// A site that fails in the middle is left out of the whole response.
//
// # Sites in mode auto
//
// A site in mode auto shows what it would show to an anonymous client without asking WordPress (package
// proof). The kind of request that the merge sends to it must be proven. Then it decides about each event by
// itself: those that are proven are in the response, as WordPress sends them where plugins change them. The
// others are counted in missing. Events that WordPress has refused or left out are in neither. Requests of the
// merge are compared in the background as those of clients are, so that they become proven. Feeds are routes
// that WordPress lacks, so a site in mode auto has no part in them.
//
// # Feeds
//
// GET …/network/events.ics and …/network/events.json take the same parameters, except per_page and
// cursor. They merge the complete feeds that each site's API has with the setting extensions, as
// iCalendar and as JSON Feed 1.1. Events and items keep the bytes of their site; items get the member
// _site. UIDs are unique across sites, because each begins with the address of its site.
//
// Subscribers delete events that a feed no longer has. A feed is therefore refused with 503 if a
// site fails. The header X-Calbridge-Missing counts sites that are closed or not proven. Together
// the feeds of the sites may have 64 MiB.
//
// # Changes
//
// GET …/network/events/changes takes the same parameters, except cursor. It answers as events/changes of a
// site does (package changes), from these routes of the sites, which need their journals. Its events have the
// member site, as tombstones do: {"id":7,"deleted":true,"site":{…}}. There is one more entry,
// {"deleted":true,"site":{"id":7}}: it removes all events of the site. Entries of a response have to be applied
// in their order. left_out and missing count the same as in the list.
//
// sync_token=now gives a token without events. A site that fails at that moment sends its list later.
//
// A token holds one token of each site. So it outlives restarts and updates as they do, and the sites of one
// copy are limited to 64. A round goes through the sites by their ids and ends with a sync token. What happens
// to a site is told in these ways, and never by 410:
//
//   - it is new, or public again: its list is sent
//   - it is gone, archived, not public, closed, or in mode auto: its events are removed
//   - its own token can't be used any more: its events are removed, and its list is sent
//   - it fails, such as while its journal is read: the client keeps its events, missing counts it, and a later
//     response has what has changed
//
// 410 remains for tokens that are "malformed", or "foreign" because another version made them. A client that
// resumes may name sites that are no longer public.
//
// # Stream
//
// GET …/network/events/stream streams these changes, as events/stream of a site streams its own
// (package changes), with the same messages. It begins at Last-Event-ID or sync_token, which may come from either
// route, else now. "updated" also stands for events that are new on their site: a site's own changes don't tell
// the two apart. "created" stands for the events of a site that takes part again. A message "deleted" may remove all
// events of a site. Only the last message of a change has an id.
//
// Clients with the same query share the reading, by package stream. The streams are among those of the main
// site: they have its limits, and end when it is opened again, and when the process stops.
//
// # Order
//
// Events are ordered by their start in UTC, then by the site's id, then by the event's id. A cursor
// is the last such key. An event that did not move is therefore returned once, whatever else is
// created, edited or deleted between two requests. Within one request, a list whose total changes is
// read again. If events move across its pages at that moment while the total stays, one that they
// push to a page already read is missing.
//
// The list of a site is ordered by local time. Its events of different zones may be up to 26 hours
// out of order in UTC, so the merge reads ahead until no later event can start before the next one.
// Events without a readable start have no place in this order and are left out. The same holds for
// events that their site lists more than these hours away from the start that they show; only
// damaged rows cause that.
package union
