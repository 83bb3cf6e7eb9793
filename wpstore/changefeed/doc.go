// Package changefeed follows the primary's binary log, and tells a invalidation.Tracker
// what has changed in a site's tables, whoever changed it. So what was made from rows
// can be served from memory for as long as it is true.
//
// What comes in are the servers, the names of the tables, and what the rows of language
// plugins mean ([Storage]); what goes out are tags for the tracker, and the proof that
// nothing was missed ([Feed.CaughtUp]). It writes nothing, and imports no store: those
// who cache what stores read stand above it.
//
//   - feed.go: the door, [Feed], which connects again and again; config.go, storage.go:
//     its settings
//   - session.go: one connection to the log, from packet to tracker
//   - tables.go: the tables followed and where their columns are; wordpress.go: what a
//     changed row means; changes.go: what was collected so far
//   - resolver.go: what only the database knows, such as the term of an id of taxonomy
//   - progress.go: how far the log was read and applied; proof.go: who asks whether
//     that is far enough
//   - link.go, ask.go: questions to the server that is followed
//   - inspect.go: whether a server's log can be followed at all
//
// # The walk: a change from the binary log
//
//  1. [Feed.Follow] → connect: openLink opens connections to the server that is the
//     primary, opens a binlog.Stream on it at the last mark, or now; inspectLog looks
//     for obstacles.
//  2. session.read: binlog.Stream.Next takes packets and gives events. For a
//     binlog.Table the stream asks tables.columns which columns to decode; binlog.Rows
//     hold just these.
//  3. tables.note: a binlog.Rows → []Row, one image or those before and after, for
//     Table.Note, which adds tags and open questions to [Changes]: a row of postmeta
//     {42, "_EventVenueID"} adds (Post, 42) and (Posts).
//  4. progress.put: at binlog.Commit the batch of this transaction, with its GTID and
//     its place in the log, joins those that wait.
//  5. session.apply: progress.take → a batch; untilVisible asks the server until
//     everybody who reads now sees these transactions.
//  6. resolver.resolve: ids of taxonomies → terms, by memory or one query; a changed
//     term that is a language adds (Site).
//  7. session.tell: Changes → invalidation.Tracker.Invalidate(tags), or Everything. The tracker
//     counts on, and calls its listeners: the event index takes the posts into its
//     backlog and reads them again at its next Settle; cached rows and responses whose
//     tags have a later number than they were made at are not fresh any more.
//  8. progress.advance wakes those in [Feed.CaughtUp]: a request that proves its
//     freshness has asked the primary for its position (questions.join,
//     link.primaryPosition), waits until that is applied, and then asks
//     invalidation.Tracker.Fresh for the tags of the cached response: if one of them has
//     changed since, the response is made anew.
//
// An error anywhere ends the session: the tracker is suspended, nothing counts as fresh,
// and Follow connects again where it was, or, if that is not possible, has everything
// count as changed.
package changefeed
