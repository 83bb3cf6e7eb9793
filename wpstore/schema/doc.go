// Package schema describes the tables of a site as ddl.Table values, under their names
// without prefix, and creates them for the embedded engine, demonstrations and tests.
// Real sites bring their tables; package check compares them with these.
//
//   - create.go: [Tables] and [Create]
//   - wordpress.go, calendar.go, languages.go: the tables of WordPress, of The Events
//     Calendar, and of WPML
//   - part.go: the columns and keys that tables are made of
//
// It imports ddl only: statements run through a [Runner], made by a [Dialect].
package schema
