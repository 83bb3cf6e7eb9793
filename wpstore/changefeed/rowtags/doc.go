// Package rowtags maps changes of rows to the tags of package invalidation that they
// invalidate. It covers the tables of WordPress, of the calendar, and of language plugins.
//
// It turns rows of the binary log, given as the columns of their tables, into [Changes].
//
//   - table.go: [Table] and [Row], how to interpret changes of a table
//   - wordpress.go: the tables of WordPress and of the calendar; meta.go: metadata that only plugins
//     read; storage.go: how language
//     plugins describe theirs
//   - changes.go: [Changes], of one transaction or more
//   - resolver.go: [Resolver], which completes them by queries, such as the term of a
//     term_taxonomy_id
package rowtags
