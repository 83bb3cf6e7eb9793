// Package mirror keeps a copy of a remote calendar in a local file: the client of the routes
// events/changes and events/stream, whose wire format package changes of rest describes.
//
//   - mirror.go: Run, the loop: fetch what has changed, follow the stream, after an error wait
//     and begin again
//   - source.go: whose events are copied, and the addresses of the two routes
//   - remote.go: the requests; refusal.go: what the server's refusals mean to the user
//   - changes.go: a page of changes; stream.go: the messages of the stream; both are items
//     (item.go); lines.go: the parser of server-sent events
//   - store.go: opening the SQLite file; position.go, apply.go: the copy and how far it is,
//     changed together in one transaction
//   - jsonl.go: the copy as a file of lines
//   - backoff.go: how long to wait
//
// # What holds at any time
//
// The table events of the file is a list as the server had it, up to changes that are under
// way, and never half a list: a list that starts over is collected in the table incoming, and
// replaces the old one in one transaction. Each transaction also stores the position in the
// server's changes. If the process is killed at any point, the next process continues with
// the file.
//
// # What a server may cost
//
// A page is decoded value by value and is refused above 32 MiB, 10,000 events, or 16 MiB for one of
// them, and after five minutes. Pages that name one another without an end are given up after
// longestRound. So the memory and the disk that the copy takes are bounded, whatever is at the
// address.
//
// The package knows the server by HTTP only. Of the module it imports the SQLite driver.
package mirror
