// Package changefeed follows the primary's binary log. It invalidates in an
// invalidation.Tracker what has changed in a site's tables, whether this process, WordPress
// or another program changed it.
//
// Its input is the servers, the names of the tables, and the meaning of the rows of
// language plugins (rowtags.Storage). It produces tags for the tracker, and confirms to
// strict reads that the tracker has caught up ([Feed.CatchUp]). It writes nothing and
// imports no store: the packages that cache what stores read are above it.
//
//   - feed.go: [Feed], by which a site follows the log; config.go: its settings; mark.go: where it
//     resumes
//   - hub.go: [Hub], which reads the log for one site or several, and reconnects after each failure;
//     member.go: a site in it; takeover.go: a site that had a connection of its own first;
//     roster.go: its sites during a session; routes.go: which sites a change concerns
//   - session.go: one connection to the log, which runs
//     reader.go: from packets to transactions;
//     applier.go: from transactions to the tracker;
//     watch.go: checks the server each second;
//     proof.go: waits for strict requests until everything was applied
//   - progress.go: how far the log has been read and applied; batch.go: transactions on
//     their way; history.go: whether the server still writes the log that is followed
//   - inspect.go: whether a server's log can be followed at all
//   - source.go, node.go, settings.go: the server that is followed, its state, settings and
//     obstacles
//   - tables.go, layout.go, statement.go: the tables followed, the positions of their
//     columns, and statements in the log
//   - detector.go, state.go: whether tables were restored without being logged
//
// The package rowtags below it maps changes of rows to the tags they invalidate.
//
// # A change's way from the log to the tracker
//
//  1. [Feed.Follow] joins a [Hub]. Its connect opens connections to the primary and a binlog.Stream at
//     the position reached last, or now; checkServer and Source look for obstacles.
//  2. reader.read takes events from the stream, which calls Tables for the columns to
//     decode. Each row goes to its rowtags.Table, which adds tags and unresolved ids to
//     rowtags.Changes: a postmeta row {42, "_EventVenueID"} adds (Post, 42) and (Posts).
//  3. At a commit progress.put adds the transaction to those waiting.
//  4. applier.apply takes them and waits until every connection can read their rows
//     (Source.Visible), has rowtags.Resolver complete them, and invalidates their tags.
//  5. progress.advance wakes the calls of [Feed.CatchUp]. A strict request asks the
//     primary for its position there and waits until that has been applied. Only then
//     does it check whether a cached response is fresh.
//
// An error anywhere ends the session. The tracker is suspended, and Follow connects again
// and resumes where it was. If it can't resume, everything is invalidated.
//
// # Tables followed
//
// The binary log shows the tables of a site as rows, whose columns are numbered, and as
// statements.
//
//   - tables.go: [Tables], which adds rows and statements to the changes of a transaction
//   - layout.go: the positions of the columns of a table
//   - statement.go: what a statement changes
//
// # Restored tables
//
// Tables may change without being logged, for example when a dump is restored whose
// statements are not logged.
//
//   - detector.go: [Detector] compares what the log has had with what the server reports
//   - state.go: the server's report on its tables
//
// # The server followed
//
//   - source.go: [Source]: whether it is the primary, its position, which transactions are
//     visible to every connection
//   - node.go: the state of a server, in the terms of MySQL or MariaDB
//   - settings.go: the settings of its log, and which of them are obstacles
package changefeed
