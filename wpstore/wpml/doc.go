// Package wpml is the language plugin WPML, for reading and for writing.
//
// WPML files everything in one table, icl_translations. A row states that an element (a
// post by its id, a term by its term_taxonomy id) of a type ("post_tribe_events",
// "tax_post_tag") is in a language. Rows with the same trid are translations of each other;
// the one without a source language is the original.
//
//	plugin.go        Plugin: its tables, and the index of icl_translations in use
//	storage.go       the meaning of changes of its tables
//	site.go          the site's languages
//	read.go          joins of queries, languages and translations
//	writer.go        the Writer of one transaction
//	translation_groups.go
//	                 rows of icl_translations: a post or term joins a group or leaves it, and the numbers
//	                 of groups (trid)
//	post_writer.go   the hooks of writing posts
//	follow.go        updates of translations when a post was saved
//	jobs.go          records of translations: states, jobs, batches, fields
//	translators.go   users that become translators
//	words.go         the estimate of the words of a post
//	term_writer.go   the hooks of writing terms
//
// # What always holds
//
//   - An id is ambiguous without the element's type: a post and a term may share it.
//   - Translations are updated at the end of the request, after the last change of a post,
//     in the order in which posts were saved.
//   - New groups get their numbers last, because MAX + 1 must be locked until COMMIT.
//   - Counts of terms that WPML doesn't update are not updated.
//
// It implements langplugin.Plugin and writes through package rowedit. Only package sitedb
// imports it.
package wpml
