// Package changefeed follows the primary's binary log and invalidates in an
// invalidation.Tracker what has changed in a site's tables, whoever changed it.
//
// In come the servers, the names of the tables, and what the rows of language plugins
// mean (rowtags.Storage); out go tags for the tracker, and the freshness proof of strict
// reads ([Feed.CatchUp]). It writes nothing, and imports no store: the packages that cache
// what stores read are above it.
//
//   - feed.go: [Feed], which connects again and again; config.go: its settings; mark.go:
//     where it resumes
//   - session.go: one connection to the log, which runs
//     reader.go: from packets to transactions;
//     applier.go: from transactions to the tracker;
//     watch.go: looks at the server each second;
//     proof.go: proves to strict requests that all was applied
//   - progress.go: how far the log has been read and applied; batch.go: transactions on
//     their way; history.go: whether the server still writes the log that is followed
//   - inspect.go: whether a server's log can be followed at all
//
// Below it, each for itself:
//
//   - source: the server that is followed, its state, settings and obstacles
//   - logtables: the tables followed, where their columns are, and statements in the log
//   - rowtags: which tags the changes of rows invalidate
//   - restores: whether tables were restored past the log
//
// # A change's way from the log to the tracker
//
//  1. [Feed.Follow] → connect opens connections to the primary and a binlog.Stream at
//     the position reached last, or now; checkServer and source look for obstacles.
//  2. reader.read takes events from the stream, which asks logtables for the columns to
//     decode. Each row goes to its rowtags.Table, which adds tags and open questions to
//     rowtags.Changes: a postmeta row {42, "_EventVenueID"} adds (Post, 42) and (Posts).
//  3. At a commit progress.put adds the transaction to those waiting.
//  4. applier.apply takes them and waits until their rows can be read by everyone
//     (Source.Visible), has rowtags.Resolver complete them, and invalidates their tags.
//  5. progress.advance wakes the calls of [Feed.CatchUp]. A strict request asks the
//     primary for its position there, waits until that has been applied, and only then
//     asks the tracker whether a cached response is fresh.
//
// An error anywhere ends the session: the tracker is suspended, and Follow connects
// again and resumes where it was. If it can't, everything is invalidated.
package changefeed
