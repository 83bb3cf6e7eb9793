// Package countcache caches what transactions of this process have left behind: the counts of terms,
// and the option with the dates of the first and the last event. The next transaction adds to a
// count instead of counting again, and compares the events that have changed with the first and
// the last one instead of reading all. It also caches two things that transactions have read:
// terms, but for their counts, and above which id no post has rows yet (terms, occurrences or
// metadata).
//
//	memory.go  Memory: counts, and what all have in common
//	range.go   the range of all events
//	terms.go   terms
//	used.go    ids of posts
//	wait.go    waiting until it is known whose a transaction is
//
// # The rule
//
// A value is used only if nobody else can have changed what it is made of since a transaction of
// this process wrote or read it:
//
//   - the locked row has a value that a transaction of ours has left, or one that was verified, and
//   - the binary log is followed, and has shown nothing in the watched tables that another client
//     has written, or whose writer is not known yet.
//
// Otherwise the transaction does what WordPress does with every change: it counts, and reads all
// events. That also heals values that are wrong, as after raw SQL or an import that defers counting.
//
// # One write through it
//
//	Memory.Known     before the counts are locked: the values that may be stored, and their epoch
//	  the lock       all counts get the change of the transaction, and are read and locked
//	Memory.Known     again: if the epoch has grown while the transaction waited for the lock,
//	                 no value is used
//	  each count     one of the known values plus the change: it is right. Another: it is counted
//	Memory.Range     whether the locked option has a text of ours; Touched: the posts that others
//	                 have changed since, which are compared too
//	Memory.Commit    just before COMMIT: what the transaction leaves may be stored from now on,
//	                 beside what was stored before. If the epoch has grown, nothing is added
//	  ended          with the answer to COMMIT: its GTID is one of ours. Without other open commits
//	                 what it left is the only value. After an error all is dropped
//	Memory.Seen      the log shows the GTID: one of ours is crossed off. One of others drops the
//	                 posts, or all, that it has changed; dropping all begins another epoch
//
// The log may show a transaction before its writer has the answer to COMMIT. The writer of what it
// shows is therefore unknown until all commits that were open then have ended; Known and Range wait
// a moment for that, and return nothing if it takes longer. Where the server does not tell a
// connection its GTID, everything is another client's.
//
// Changes that the log has not shown yet are missed, as they are by cached responses: the count is
// then what it would be had they come later, and the next transaction after they are shown
// recounts. A strict request, which must see them, uses no value (rowedit.NewKnown). Without a
// binary log and in a cluster nothing is cached; under WPML counts are not.
//
// # Ahead of the first write
//
// The first write of a term would count its posts, and others would wait for its locks meanwhile.
// Terms with many posts are therefore verified in the background (sitedb.DB.VerifyAhead): one
// statement reads the stored count and counts, without locks, as of one moment. Where both are
// equal, Memory.Verified adds the count unless a transaction has left one or the epoch has grown.
// Memory.VerifiedRange does the same for the range of all events. The event index is loaded before,
// and writes until then count as they did. Among 1,000,000 events (cmd/bench mix, 16 clients), the
// p99 of writes beside reads just after the start was 3.4, 5.0, 4.2 and 1.5 s without that. Verified
// while the index was loading, it was 0.19, 0.58, 0.24, 0.40 and 0.71 s, at a load of 9 to 26 on two
// processors, at which repeated reads had a p99 of 0.08 to 0.38 s.
//
// # Is it worth it
//
// POST of an event, 10,000 events, durable commits, five alternating rounds on a quiet machine
// (November 2026):
//
//	                            without   with
//	4 clients, requests/s           130    506
//	16 clients, requests/s          127    790
//	database CPU per POST, ms      10.2    1.7
//
// Counting takes the longer, the more events have a term.
package countcache
