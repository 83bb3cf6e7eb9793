// Package purge removes changed responses from shared caches in front of calbridge, such as a CDN or
// Varnish, by the tags that package cachetag puts on them.
//
//   - file.go: [File], which names the caches; provider.go: how each provider is called
//   - purger.go: [Purger], which collects what changes in an invalidation.Tracker
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
//   - at each start and reload: what changed while nobody followed the log isn't known, and another
//     version or other settings may render differently. So no position is stored.
//   - when the tracker was invalidated as a whole, as after a gap in the log
//   - when changes have not arrived for [patience]. Until they do, no response may be stored.
//   - when more has changed than [mostCalls] calls can name
//   - when the site is closed, and when the last request has ended from before a reload
//
// [Purger.Purge] adds tags that the tracker doesn't have: invalidation.Parity, when package proof has
// learned that WordPress may answer otherwise.
//
// A cache that can't be reached is called again with growing pauses, at most [maxPause]; what changes
// meanwhile is added to the next call. Until then it serves what it has, for at most
// cachetag.Policy.MaxAge.
//
// Caches are independent: one that is slow doesn't delay the others. Several instances of calbridge
// purge the same names, and share nothing.
package purge
