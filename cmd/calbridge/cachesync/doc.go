// Package cachesync invalidates the caches of a site when its database changes.
//
//   - modes.go: [Mode], how changes are noticed, and which modes are possible
//   - sync.go: [Sync], which follows the binary log or the clock, and divides the memory
//     between the caches
//   - notices.go: what a notice of the companion plugin invalidates; notice_feed.go: detects
//     missing notices by their numbers
//
// It turns changes, from the binary log or from notices, into invalidations in the store's
// tracker, which the caches of rest and wpstore check. It does not depend on flags, addresses
// or requests.
package cachesync
