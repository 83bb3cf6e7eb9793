// Package cachetag tells shared caches in front of calbridge, such as a CDN or Varnish, which
// responses they may store, for how long, and by which tags package purge removes them.
//
//   - format.go: [Format], the headers that name tags, with the limits of their providers
//   - name.go: the names of the tags of package invalidation
//   - policy.go: [Policy], the headers of a response that may be stored
//   - guard.go: [Policy.Guard], which makes every other response private
//
// # Tags
//
// A response names all that it depends on, by the tags that its entry in calbridge's own response
// cache has. A name is the site's prefix and
//
//	site                      every response; everything is purged by it
//	p42, t7, u3               the post (event, venue, organizer, picture, …), term or user with this id
//	p, t, u                   any post, term or user; see below
//	events, posts, terms, …   a set, such as all that lists of events are made of
//	parity                    a response that is sent because WordPress was seen to answer the same
//	any                       a response that may depend on anything
//
// A response with more tags than its provider accepts names p in place of its posts, then t in place
// of its terms, then u in place of its users. A change of post 42 purges both p42 and p.
//
// # What may be stored
//
// Only what the response cache has, and what is still fresh when its headers are written: responses
// with status 200 to anonymous GETs. Of these, [Policy.Store] leaves out those that are valid for
// this second only, that set or depend on a cookie, and that answer a request with Origin, because
// shared caches differ in how they treat Vary.
//
// The lifetime is s-maxage: [Policy.MaxAge], or the time until the response changes by itself, such
// as at midnight, or until it has to be compared with WordPress's again (api.Storing). Copies in
// browsers are revalidated each time.
//
// The package imports package invalidation only.
package cachetag
