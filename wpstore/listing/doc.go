// Package listing keeps in memory what lists of events are filtered, ordered and
// counted by, so that a list is a search in memory. It knows no SQL and reads
// nothing: whoever owns an [Index] puts [Event] values in and replaces them.
//
// An event has a row for each of its dates. Rows lie in chunks of about a thousand,
// sorted, so that a window of dates is a range of chunks, and a chunk knows for each
// attribute (a status, a category, a venue …) which of its rows have it: as a bitmap
// where they are many, as a list where they are few. A query makes a bitmap of each
// chunk that its dates touch and counts bits.
//
// Chunks never change. An [Index] with other events shares all chunks but those in
// which something differs with the one before, so readers need no locks and a
// change costs as much in a large calendar as in a small one.
//
// Texts are compared by bytes. Databases compare them as a collation says, which
// for lower-case letters, digits, hyphens and underscores of ASCII is the same; a
// query that meets any other text is not answered.
package listing
