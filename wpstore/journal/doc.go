// Package journal remembers what has changed in a site's events, and what lists filtered them
// by before each change, so that package changes of rest can tell a client what differs from
// what it has.
//
//   - journal.go: [Journal], its opening and the position that it has reached
//   - queue.go: what the change feed reports, until it is recorded; moved.go: when it was
//   - record.go: records it; load.go: records everything again; keep.go: forgets what is old
//   - since.go: reads what has changed since a position
//   - others.go: who may read the posts that aren't events, before and after each change
//   - shown.go: what events were shown with, other than what they link to
//   - file.go: the file, and which site it belongs to; folder.go: errors of its folder
//
// It turns tags of what has changed, from a changefeed.Feed, and rows from a [Site] into
// [Changes]. It knows no requests, users or filters.
//
// # What is recorded
//
// The file has the last known [eventindex.State] of each event. For each batch of transactions
// that the feed reports, the states of the changed events are read, and the journal appends
// under the next sequence number the ids of what has changed, for events with the state before.
// So of each event all states are known that it had at any sequence number from a position
// on: those before its changes since, and the last one.
//
// A state is read after its change, so it may belong to a later change already, which then is
// recorded once more. Between two sequence numbers an event may have had other states that
// nobody recorded. Code that shows an event to a client must therefore make sure that it had no
// change in the meantime: see [Journal.CatchUp] and [Journal.Touched].
//
// # What is not recorded
//
// Where changes may have been missed, because the log was lost, tables were altered, or so
// many rows changed that the feed names none, a break is recorded: no position before it can
// be used any more. The same holds where a setting changed that everything depends on. The
// range of all events, which each save of an event may change, is none.
//
// # Restarts and reloads
//
// With each change the file gets the feed's mark: where in the server's log it was. The next
// process, or the site after a reload, reads the log from there ([Journal.Resume]), and so
// records what changed meanwhile as if it had been there. What came and went is a change too,
// with the states that it had before. This proves that nothing was missed if the log is still
// the same, up to now:
//
//   - The server is the same, and has the log from the mark on.
//   - The last transaction before the mark is sent again, at the same place in the files, with
//     the same time. After a server was set back, also if it has used the same GTIDs again
//     since, that is another transaction, or none.
//   - Each file since then ends with the server's mark of its end. A server that crashed leaves
//     one that doesn't. It may have lost what it had confirmed, of its log or of its tables, so
//     that the journal may have recorded a write that never was.
//   - The tables were created when they were, the settings are the same, and the reader of
//     states, which is in the file too, reads the same taxonomies.
//
// Otherwise there is a break, as after a fail-over to another server, and where the log is so
// long that reading it takes more than ten seconds. What no log has, such as rows changed
// with sql_log_bin=0, is not noticed.
//
// Only one Journal has the file. One that is opened while another has it waits: after a reload
// the new site goes on once the old one has closed its journal.
//
// # The file
//
// It is a SQLite database. It belongs to one site and one way of reading states; if either differs,
// or it is damaged, or its format is newer or too old, it is replaced, under another id and with
// another secret. A file of an older format that can be read becomes one of this format in the
// transaction that opens it. If the program showed events differently ([Identity]), that
// transaction also records a change of each event, so that tokens stay valid, and clients get all
// events once more.
//
// It may be deleted at any time. Its writes survive the end of the process; those of the last
// moments before a power failure may be lost, which is why each process begins a run: a
// position of an earlier run is only known up to where the next one began. What was shown is
// on disk before a token relies on it.
//
// While the folder is full, read-only or gone, nothing is recorded, and what needs it fails at once
// with [ErrStateDir]. Reports wait in memory until there is room; then the journal goes on as if
// nothing had been.
//
// Changes are kept for [Config.Keep], and the first ones are removed once there are more than
// [Config.Most].
package journal
