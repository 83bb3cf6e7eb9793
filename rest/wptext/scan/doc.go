// Package scan reads and changes text byte by byte, as WordPress's patterns do:
//
//	chars.go   character classes, white space, sets of words
//	fold.go    ASCII letter case
//	finder.go  searches at growing positions in linear time
//	patch.go   replacements from left to right
//
// Text goes in and out; it has no rules of HTML or WordPress. It imports the standard
// library only.
package scan
