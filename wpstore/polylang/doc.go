// Package polylang is the language plugin Polylang, for reading and for writing.
//
// Polylang has no tables of its own. A language is a term of the taxonomy language, under
// which posts are filed, and one of term_language, under which terms are filed by their
// term ids. A group of translations is a term too, of post_translations or
// term_translations; its description is the serialized members by language.
//
//	plugin.go        Plugin: its taxonomies, the site's languages
//	read.go          joins of queries, languages and translations
//	writer.go        the Writer of one transaction
//	filing.go        the terms under which objects are filed: languages and groups
//	post_writer.go   the hooks of writing posts
//	term_writer.go   the hooks of writing terms
//	translate.go     translations of terms that a post needs
//
// # What always holds
//
//   - An object's language term is authoritative, not its entry in the group.
//   - Rows of term_relationships may belong to terms: code that removes all terms from a
//     post must spare those of Plugin.ObjectTaxonomies.
//   - A group without members is deleted.
//
// It implements langplugin.Plugin and writes through package rowedit. Only package sitedb
// imports it.
package polylang
