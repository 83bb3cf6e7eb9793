// Package markup reads and changes text and HTML as WordPress's patterns do, as offsets into the
// text. It builds no tree and never fails: an element that isn't closed takes the rest.
//
//	tokens.go  cuts text into tags, comments and the text between them
//	tag.go     opening tags and their attributes; adds classes and attributes
//	chars.go   character classes, white space, sets of words
//	fold.go    ASCII letter case
//	finder.go  searches at growing positions in linear time
//	patch.go   replacements from left to right
//
// Of this module it imports nothing.
package markup
