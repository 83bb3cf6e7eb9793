// Package scan reads and changes text byte by byte, as WordPress's patterns do:
//
//	chars.go   character classes, white space, sets of words
//	fold.go    ASCII letter case
//	finder.go  searches at growing positions in linear time
//	patch.go   replacements from left to right
//
// It knows neither HTML nor WordPress's settings and imports the standard
// library only.
package scan
