// Package invalidation determines when a value made from a site's rows, such as a cached
// row or response, must not be used any longer.
//
//   - tag.go: [Tag], which names a row or a set of rows
//   - dependencies.go: [Dependencies], the tags that a response depends on, collected
//     while it is made
//   - tracker.go: [Tracker], the generation at which each tag changed last
//   - aging.go: [Aging], how long options and users may be used, with a tracker or without
//
// Tags of what has changed come from writes of this program, from the change feed, or from
// messages of the companion plugin. A cache reads [Tracker.Generation] before it reads
// rows, stores the result with its tags, and calls [Tracker.Fresh] before it uses the
// result.
//
// It imports nothing of this program: no SQL, no caches.
package invalidation
