// Package fragment keeps WordPress's own rendering of events, venues, organizers and terms, so that
// calbridge can answer with it where a plugin changes them.
//
//   - split.go: [Split], which finds the top-level objects of a JSON response; [Splice]
//   - calendar.go: [SplitCalendar], which finds the events of an iCalendar export
//   - members.go: in which members two renderings of an object differ, and whether only in content
//   - store.go: [Store], the fragments, and when they may be served
//   - figures.go: [Figures], for metrics and reports
//
// # What a fragment is
//
// A fragment is the text of one top-level object of a response, exactly as WordPress has sent it to
// an anonymous client. Nested objects, such as the venue of an event, are never fragments. Where our
// response and WordPress's agree in everything but the inside of these objects, [Store.Fill] stores
// WordPress's. [Store.Compose] puts them into a later response of ours: the envelope is ours, with
// the list's order, totals and links, and the objects are WordPress's.
//
// A response is split only if it is one strict JSON document: nothing before or after it, no member
// twice, lists are arrays, and no two entries have the same id. Anything else has no objects.
//
// The objects of an iCalendar export are its events, from BEGIN:VEVENT to END:VEVENT. They need the same UIDs
// in the same order. An export is split only if it is one strict calendar with nothing around it: lines end
// in CRLF, components are balanced, and no two events have the same id.
//
// # What a fragment depends on
//
// The key has all that our own rendering of the object depends on, as the hash of that rendering:
// rows, language, links, and the running numbers of galleries and layouts. If a change of rows is
// visible in our rendering, the fragment isn't found. What a plugin prints may depend on more, so a
// fragment also ends
//
//   - when a tag of the object changes: all rows and metadata of the object, and of the posts, terms
//     and users whose ids its rendering shows; or the site's options. Events of exports show no ids, so
//     any row of the response counts that isn't another event of it
//   - at [Fill.Until], when our rendering changes without a change of rows
//   - when WordPress hasn't confirmed it for [Config.MaxAge], because a plugin may read what nobody
//     sees: the clock, files, other servers, rows of other objects. While WordPress is down it lasts
//     until [Config.StaleIfError]
//   - when any post, term or user of the site is hidden, deleted or loses a role, if the fragment
//     differs from our rendering: the difference may show it ([Store.Hide])
//   - when the proofs of objects end ([Store.End]), and when the code or the facts change
//     ([Store.Reset])
//
// # What comes before an object
//
// WordPress numbers some markup through a response, so the rendering of an object may depend on the
// objects before it. If WordPress's rendering of an object has markup that ours lacks, its effect on
// the numbers is unknown. Such an object, and each later one with markup, is served only behind the
// same objects with the same bytes: their hash is part of the key. A difference at another position
// makes this the rule for all objects of the place. It is not volatility.
//
// Exports have descriptions without their tags. An event of an export whose DESCRIPTION differs from ours
// therefore counts as one with markup, and so does each event behind it.
//
// # Proof of a place
//
// A place is a route in a language under an address of the site. Nothing of it is served before two
// fills of one object, at least [Config.Apart] apart, were identical. After that, one fill suffices
// for any object. If a fill differs from a fragment whose rows have not changed, the place has to be
// proven again.
//
// If an object differs although no row of the site has changed, and the two fills were less than
// [Config.Apart] apart, it is volatile. So it is if that happens three times in its place at any
// distance. A volatile object isn't served until the facts change, and [Store.Volatile] names the
// members that vary. For each volatile object its place needs ten stable ones. Otherwise a plugin
// that changes a third of all responses at random would seem stable to many objects.
//
// The package makes no requests. Package proof decides about the envelope, and about who may see an
// object.
package fragment
