// Package changefeed follows the primary's binary log and invalidates in an
// invalidation.Tracker what has changed in a site's tables, whoever changed it.
//
// In come the servers, the names of the tables, and what the rows of language plugins
// mean ([Storage]); out go tags for the tracker, and the freshness proof of strict reads
// ([Feed.CatchUp]). It writes nothing, and imports no store: the packages that cache
// what stores read are above it.
//
//   - feed.go: [Feed], which connects again and again; config.go: its settings
//   - session.go: one connection to the log, from packet to tracker
//   - source.go: questions to the server that is followed
//   - layout.go: the tables followed and where their columns are
//   - statement.go: changes that the log has as SQL
//   - table.go: how to interpret a table's rows; wordpress.go: those of WordPress
//   - changes.go: the changes of one or more transactions
//   - resolver.go: completes them by queries, such as the term of a term_taxonomy_id
//   - progress.go: how far the log has been read and applied
//   - history.go: whether the server still writes the log that is followed
//   - inspect.go: whether a server's log can be followed at all
//
// # A change's way from the log to the tracker
//
//  1. [Feed.Follow] → connect opens connections to the primary and a binlog.Stream at
//     the position reached last, or now; checkLog looks for obstacles.
//  2. session.read takes events from the stream, which asks layouts.columns for the
//     columns to decode. layouts.note hands each row to its Table.Note, which adds tags
//     and open questions to [Changes]: a postmeta row {42, "_EventVenueID"} adds
//     (Post, 42) and (Posts).
//  3. At a commit progress.put adds the transaction to those waiting.
//  4. session.apply takes them and waits until their rows can be read by everyone
//     (source.visible), has resolver complete them, and invalidates their tags.
//  5. progress.advance wakes the calls of [Feed.CatchUp]. A strict request asks the
//     primary for its position there, waits until that has been applied, and only then
//     asks the tracker whether a cached response is fresh.
//
// An error anywhere ends the session: the tracker is suspended, and Follow connects
// again and resumes where it was. If it can't, everything is invalidated.
package changefeed
