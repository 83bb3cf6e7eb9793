// Package schema describes the tables of a site as ddl.Table values, under their names
// without prefix. It creates them for the embedded engine, demonstrations and tests. Real
// sites already have their tables; package check compares them with these.
//
//   - create.go: [Tables] and [Create]
//   - wordpress.go, calendar.go, languages.go: the tables of WordPress, of The Events
//     Calendar, and of WPML
//   - part.go: the columns and keys that tables are made of
//
// It imports only ddl. Statements are written by a [Dialect] and run through a [Runner].
package schema
