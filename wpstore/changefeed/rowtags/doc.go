// Package rowtags says which tags of package invalidation the changes of rows invalidate:
// those of WordPress, of the calendar, and of language plugins.
//
// In come rows of the binary log, as their tables' columns; out go [Changes].
//
//   - table.go: [Table] and [Row], how to interpret changes of a table
//   - wordpress.go: the tables of WordPress and of the calendar; storage.go: what language
//     plugins say of theirs
//   - changes.go: [Changes], of one transaction or more
//   - resolver.go: [Resolver], which completes them by queries, such as the term of a
//     term_taxonomy_id
package rowtags
