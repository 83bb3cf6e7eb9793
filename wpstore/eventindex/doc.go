// Package eventindex holds in memory what lists of events are filtered, ordered and
// counted by, and answers [wpstore.EventQuery] from there. Where it can't, it returns why,
// and the database answers: until everything is loaded, while the tracker is suspended,
// for text searches, and for conditions that the index can't decide exactly.
//
// It takes queries, rows from a [Source], which package events implements, and the tags
// that an invalidation.Tracker reports; out go pages of ids, and an invalidation when
// lists of events differ. It imports no SQL and no store.
//
//   - index.go: [Index], from a query to a page or an [Outcome] (outcome.go)
//   - state.go, refresh.go, background.go: the current snapshot, bringing it up to date,
//     loading it; demand.go: the orders that lists need
//   - source.go, load.go, reader.go, mark.go: from rows of the database to events
//   - merge.go: from rows in any order to sorted ones
//   - snapshot.go, rows.go: what was loaded
//   - compile.go, search.go, page.go: from a query to conditions on attributes, to a set
//     of rows, to a page
//   - order.go: the orders of lists, with that of events that start at the same time
//   - tree.go, chunk.go, attribute.go, event.go: how rows are stored in memory
//   - state_read.go: [State], what lists filter one event by, for those who remember what it
//     was; state_code.go: its binary form
//
// # Rows
//
// An event has a row for each of its dates. Rows are stored sorted in chunks of about a
// thousand, so that a window of dates is a range of chunks. A chunk has for each
// attribute (a status, a category, a venue …) the set of rows with it: a bitmap if there
// are many, a list if there are few. A query makes a bitmap of each chunk that its dates
// touch and counts bits.
//
// Chunks are immutable. A new snapshot shares all chunks in which nothing differs, so
// readers need no locks and a change costs as much in a large calendar as in a small one.
//
// Texts are compared by bytes. Databases compare them by a collation, which makes no
// difference for lower-case ASCII letters, digits, hyphens and underscores; a query that
// meets any other text isn't answered.
//
// # Loading
//
// Events are read in blocks of ids, some blocks at the same time: by ranges where most posts
// between the first and the last id are events. Links to venues and organizers, and marks,
// are read before, by their keys, because databases look at all metadata of a post to find
// them. Rows are sorted some thousand at a time, packed into chunks, and these runs merged,
// so that the rows themselves never are in memory all at once.
//
// # Adding a filter
//
// An [wpstore.EventFilter] that compile.go doesn't know is refused by [Index.Find]: the database
// answers. A field added to [wpstore.EventQuery] is taken by compile.go, or refused by
// [Index.Find]; TestEveryFieldIsTreated fails otherwise.
package eventindex
