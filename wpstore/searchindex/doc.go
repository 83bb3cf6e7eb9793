// Package searchindex narrows text searches in memory. It returns the ids of all posts that may
// contain some texts; the database's own LIKE among these ids decides which do. The result is
// that of the plain statement, since the candidates contain every match.
//
//   - index.go: [Index], from texts to candidates or an [Outcome]
//   - background.go: loads the index and applies changes
//   - source.go: the rows that it reads, which package events implements
//   - classes.go: [Classes], which characters LIKE takes for equal
//   - signature.go: sequences of characters and the rows that they are hashed to
//   - matrix.go: the bits of all posts
//
// # What is stored
//
// Every three and every five characters in a row of a post's texts are hashed to one of some rows of bits, which
// has a bit for each post. So are every two characters of scripts that write words with two, such as
// Chinese. A search joins the rows of its own characters by AND. Different sequences share rows,
// which adds candidates but loses none. The size limit determines the number of rows:
// less memory costs precision. Texts can't be restored from the bits.
//
// # Equal characters
//
// LIKE compares one character with one character. Which are equal depends on the collation and the
// server's version, so the server returns the weights of all characters once for each collation ([Collations]).
// Characters of equal weights form a class, which may be larger than LIKE's, but never smaller.
// A wildcard or backslash in a search divides it; each part must occur by itself,
// whatever the escape character is.
//
// The database searches without candidates where this is not enough: for characters that weigh
// nothing, characters outside of the planes that were read, texts without three characters in a row,
// character sets and collations that aren't listed in classes.go, and columns whose collations differ. Posts that
// have characters of unread planes are candidates of every search.
//
// # Changes
//
// A changed post is a candidate of every search until the background has read it again. Requests
// therefore never wait for the index. While the tracker is suspended, or after a change
// of everything, there are no candidates and the database searches.
package searchindex
