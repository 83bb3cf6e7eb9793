package respcache

import "calbridge/wpstore/invalidation"

// fresh reports whether the response is valid in a second of Unix time.
func (a *Answer) fresh(tracker *invalidation.Tracker, second int64) bool {
	if a.Until != 0 && (second < a.From || second >= a.Until) {
		return false
	}
	now := tracker.Generation() // read before the tags: a later change is checked next time
	if a.seen.Load() == now && tracker.Active() {
		return true
	}
	if !tracker.Fresh(a.Built, a.Tags) {
		return false
	}
	a.seen.Store(now)
	return true
}
