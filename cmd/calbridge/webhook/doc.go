// Package webhook tells other systems what has changed in lists of events: it sends each change as a
// POST request, signed as Standard Webhooks describes (https://www.standardwebhooks.com).
//
//   - config.go: [Load], the file that lists the targets
//   - sign.go: signatures; message.go: bodies
//   - sender.go: [Sender], all targets; target.go: the work of one
//   - site.go: the sites of a process that serves several
//   - lists.go: reads lists, once for all targets with the same query
//   - differ.go: pages of events/changes → what a target has to be told
//   - store.go: what survives a restart, in a SQLite file
//   - post.go: one delivery, and the addresses that it must not go to
//   - retry.go: when a delivery is tried again
//
// It reads lists through [Calendar], as anonymous visitors do, so that nobody is told of what they can't
// see. It must not import package site.
//
// # What is delivered
//
// The store has a fingerprint of each event that a target was told of. A page of events/changes is compared
// with them: what is new is event.created, what differs is event.updated, what has left the list is
// event.deleted. Where the changes since the last page are unknown, because the token can't be used any
// more, the whole list is compared. So no change is lost, and an event that nobody could see is never
// mentioned. A new target is told of what changes from then on.
//
// A page without events is not stored: the token may be older than what was read, by [idle] at most.
// While others' events change all the time, a target that isn't concerned rests, for up to [maxRest].
//
// What is to be delivered is stored together with the token and the fingerprints, in one transaction,
// before it is sent. It is sent until the target accepts it: each change at least once, with the same
// webhook-id. What a target has accepted is stored for up to [batch] deliveries together. A target gets
// one delivery at a time, in order. While it doesn't accept one, later changes of an event add up to one.
package webhook
