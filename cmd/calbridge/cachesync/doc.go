// Package cachesync keeps the caches of a site true to its database.
//
//   - modes.go: how changes can be noticed, and which of these ways is possible
//   - sync.go: Sync, which follows the binary log or the clock, and divides the
//     memory between the caches
//   - notices.go: what a notice of the companion plugin invalidates
//
// In come changes, from the binary log or from notices; out go entries in the
// store's tracker, by which the caches of rest and wpstore see what still holds. The
// package knows no settings, no addresses and no requests.
package cachesync
