// Package purge removes changed responses from shared caches in front of calbridge, such as a CDN or
// Varnish, by the tags that package cachetag puts on them.
//
//   - file.go: [File], which names the caches; provider.go: how each provider is called
//   - changes.go: [Changes], which collects what changes in an invalidation.Tracker; saved.go: the file with the
//     position up to which it was purged
//   - purger.go: [Purger], which purges it
//   - target.go: one cache, with its rate, its retries and its repetitions
//
// # What is purged, and when
//
// The [Purger] listens to the tracker that calbridge's own caches use, so it covers the changes of
// every program. It waits for [merge], so that the changes of one save are one call. It then
// completes the tracker ([Config.Settle]), and sends the names only after the tracker has applied the
// change: a cache that asks again gets the new response.
//
// Each call is repeated after [again]. A response that was on its way to the cache during the first
// call may have been stored right after it. Later ones can't be stale: calbridge lets
// no shared cache store a response if something that it depends on has changed before its headers
// are written.
//
// Everything is purged, by the one name that each response has,
//
//   - at a start without a stored position that is valid, and at each reload: another version or other
//     settings may render differently
//   - when the tracker was invalidated as a whole, as after a gap in the log
//   - when changes have not arrived for [patience]. Until they do, no response may be stored.
//   - when more has changed than [mostCalls] calls can name
//   - when the site is closed, and when the last request has ended from before a reload
//
// [Purger.Purge] adds tags that the tracker doesn't have: invalidation.Parity, when package proof has
// learned that WordPress may answer otherwise.
//
// # The stored position
//
// With a folder, the [Purger] stores the position in the change feed up to which each cache has accepted every
// purge and its repetition. It stores it at most once per [saveEvery], and when it ends. The position is a lower
// bound, so that a process that is killed loses nothing: the next one reads the log from there, and purges again
// what is after it. The position is valid for one identity. A start with another one removes it, because its
// responses are stored from then on. A reload removes it, too, until the last request from before it, or from before
// an earlier reload, has ended.
//
// What changes responses besides rows that the log has:
//
//   - the program, settings, files and facts that are read at the start: the identity covers them
//   - time: s-maxage ends at the next boundary
//   - what package proof has learned of WordPress, which is in memory: no position is stored then
//   - which lists have changed: the index of events is in memory, and invalidates all lists when it is loaded
//   - tables that are restored without the log: the identity has the times at which they were created
//   - notices of the companion plugin: they name rows that the log has, or facts
//   - whether native responses are closed: if they are at the start, everything is purged
//   - transients of WordPress: no response depends on them
//
// Responses that another process has stored meanwhile, with another folder or without one, are not covered.
//
// A cache that can't be reached is called again with growing pauses, at most [maxPause]; what changes
// meanwhile is added to the next call. Until then it serves what it has, for at most
// cachetag.Policy.MaxAge.
//
// Caches are independent: one that is slow doesn't delay the others. Several instances of calbridge
// purge the same names, and share nothing.
package purge
