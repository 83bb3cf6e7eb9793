// Package invalidation says when something made from a site's rows, such as a cached
// row or response, must not be used any longer.
//
//   - tag.go: [Tag], which names a row or a set of rows
//   - dependencies.go: [Dependencies], the tags that a response depends on, collected
//     while it is made
//   - tracker.go: [Tracker], the generation at which each tag changed last
//   - aging.go: [Aging], how long options and users may be used, with a tracker or without
//
// In come tags of what has changed: from writes of this program, from the change feed,
// or from the companion plugin's notices. A cache notes [Tracker.Generation] before it
// reads, stores the result with its tags, and asks [Tracker.Fresh] before it uses it.
//
// It imports nothing of this program: no SQL, no caches.
package invalidation
