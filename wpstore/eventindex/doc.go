// Package eventindex holds in memory what lists of events are filtered, ordered and
// counted by, and answers [wpstore.EventQuery] from there. Where it cannot, it says
// why, and the database answers: until everything is loaded, while changes do not
// arrive, for text searches, and for what the index does not decide exactly.
//
// An [Index] reads the site through a [Source], which the SQL side implements; it
// knows no SQL itself. A [invalidation.Tracker] tells it what changes, and is told when
// lists of events differ.
//
// # Map
//
//   - index.go: the door, [Index], from a query to a page or an [Outcome]
//   - state.go, settle.go, background.go: the current snapshot, bringing it up to
//     date, loading it; demand.go: what lists would have it be made for
//   - source.go, load.go, reader.go: rows of the database become events
//   - snapshot.go, rows.go: what was loaded, which never changes
//   - compile.go, search.go, page.go: a query becomes conditions on attributes,
//     these a set of rows, and this a page
//   - tree.go, chunk.go, attribute.go, event.go: how rows lie in memory
//
// # Rows
//
// An event has a row for each of its dates. Rows lie in chunks of about a thousand,
// sorted, so that a window of dates is a range of chunks, and a chunk knows for each
// attribute (a status, a category, a venue …) which of its rows have it: as a bitmap
// where they are many, as a list where they are few. A query makes a bitmap of each
// chunk that its dates touch and counts bits.
//
// Chunks never change. Rows with other events share all chunks but those in which
// something differs with the ones before, so readers need no locks and a change
// costs as much in a large calendar as in a small one.
//
// Texts are compared by bytes. Databases compare them as a collation says, which
// for lower-case letters, digits, hyphens and underscores of ASCII is the same; a
// query that meets any other text is not answered.
//
// # Adding a filter
//
// A field added to [wpstore.EventQuery] is taken by compile.go, or refused by
// [Index.Find]. TestEveryFieldIsTreated fails until one of them is so.
package eventindex
