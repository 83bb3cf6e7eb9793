// Package scan holds what reading and changing text byte by byte needs:
// character classes and white space (chars.go), ASCII letter case (fold.go),
// searches at growing positions (finder.go), replacements from left to right
// (patch.go), sets of words (words.go). It works on bytes, as WordPress's
// patterns do, and knows neither HTML nor WordPress's settings.
//
// It imports the standard library only.
package scan
