// Package schema describes the tables of a site, as ddl.Table values under their names
// without prefix, and creates them for the embedded engine, demonstrations and tests.
// The checks compare a real site's tables with these descriptions.
//
//   - create.go: [Tables] and [Create]
//   - wordpress.go, calendar.go, languages.go: the tables of WordPress, of The Events
//     Calendar, and of WPML
//   - column.go: the kinds of columns and keys that they are made of
//
// It knows no database: statements run through a [Runner], and a [Dialect] says how an
// engine creates a table.
package schema
