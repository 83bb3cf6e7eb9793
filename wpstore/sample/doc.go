// Package sample holds a calendar of our own, for demonstrations and tests: the
// little town of Lípa, with its concerts, markets and council meetings around the
// day on which it is loaded. It is in Czech, and most of it in English and German
// too, translated with WPML.
//
// [Load] takes an empty database and fills it. What is on stands in calendar.go,
// place.go and term.go, and what each language calls it in czech.go, english.go and
// german.go; sample.go says how. How that is stored stands in
// site.go (options, users), translation.go (WPML), post.go and event.go. All rows are
// collected by rows.go and inserted in the end.
//
// It imports wpstore, which makes the tables, and PHP's values.
package sample
