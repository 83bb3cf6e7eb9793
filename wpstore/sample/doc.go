// Package sample contains a calendar for demonstrations and tests: the town of Lípa with
// its concerts, markets and council meetings around the day on which it is loaded. It is in
// Czech, and most of it also in English and German, translated with WPML.
//
//	sample.go                           Load; the languages
//	calendar.go, place.go, term.go      events, venues and organizers, categories and tags
//	czech.go, english.go, german.go     their names and texts
//	post.go, event.go, translation.go   how they are stored
//	site.go                             options and users
//	slug.go                             slugs
//	rows.go                             collects the rows and inserts them
//
// [Load] fills an empty database. The package imports sitedb, which creates the tables, the
// names in wpstore, and PHP's values.
package sample
