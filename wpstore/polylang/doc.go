// Package polylang is the language plugin Polylang, for reading and for writing.
//
// Polylang needs no tables of its own: a language is a term of the taxonomy language,
// under which posts are filed, and one of term_language, under which terms are, by
// their term ids. A group of translations is a term too, of post_translations or
// term_translations, whose description has the members by language, serialized.
//
//	plugin.go        Plugin: its taxonomies, the site's languages; storage.go says what
//	                 changes of them mean
//	read.go          joins of queries, languages and translations
//	writer.go        puts the writer of one transaction together
//	filing.go        the terms under which objects are filed: groups and counts
//	post_writer.go   what happens when posts are written
//	term_writer.go   what happens when terms are written
//	translate.go     terms that are translated because a post needs them
//
// # What always holds
//
//   - What an object's own language term says counts, not what its group says of it.
//   - Rows of term_relationships may belong to terms: whoever takes all terms off a
//     post leaves those of Plugin.ObjectTaxonomies alone.
//   - A group that nobody is left in goes.
//
// It implements langplugin.Plugin, writes through package rowedit, and is imported by
// package sitedb only.
package polylang
