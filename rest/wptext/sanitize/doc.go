// Package sanitize reduces text to a plainer kind: text without tags (tags.go,
// all_tags.go), one line of a form (text_field.go), slugs (slug.go), letters
// without accents (accents.go), e-mail addresses (email.go). What cannot be made
// valid gives "".
//
// It is a leaf that rest/wpauth uses too. Of wptext's packages it may import
// escape and scan only.
package sanitize
