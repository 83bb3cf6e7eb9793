// Package sanitize reduces text to a plainer kind. What can't be made valid gives
// "".
//
//	tags.go        PHP's strip_tags
//	all_tags.go    text without scripts and tags; its first words
//	text_field.go  one line of a form
//	slug.go        slugs
//	accents.go     letters without accents
//	email.go       e-mail addresses
//
// Text, a locale's name and the traits of a site go in, text comes out. rest/wpauth uses
// it too. Of wptext's packages it may import escape and markup only, besides trait.
package sanitize
