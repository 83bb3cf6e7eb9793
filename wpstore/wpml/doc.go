// Package wpml is the language plugin WPML, for reading and for writing.
//
// WPML files everything in one table, icl_translations: a row says that an element (a
// post by its id, a term by its term_taxonomy id) of a type ("post_tribe_events",
// "tax_post_tag") is in a language. Rows of one trid translate each other; the one
// without a source language is the original.
//
//	plugin.go        Plugin: its tables, and the index of the table that is asked for;
//	                 storage.go says what changes of them mean
//	site.go          the site's languages
//	read.go          joins of queries, languages and translations
//	writer.go        puts the writer of one transaction together
//	filing.go        rows of icl_translations: filing an element, taking it out
//	post_writer.go   what happens when posts are written
//	follow.go        how translations follow an original that was saved
//	jobs.go          the account of translations: states, jobs, batches, fields
//	translators.go   users that become translators
//	words.go         the estimate of words of a post
//	term_writer.go   what happens when terms are written
//
// # What always holds
//
//   - An id says nothing without the element's type: the same number may be a post and
//     a term.
//   - Translations follow their original at the end of the request, after the last
//     change of a post, in the order in which the posts were saved.
//   - Counts of terms that WPML leaves as they are stay as they are.
//
// It implements langplugin.Plugin, writes through package rowedit, and is imported by
// package sitedb only.
package wpml
