// Package typography turns plain characters into typographic ones.
//
//	texturize.go  walks over tags and shortcodes (wptexturize)
//	text.go       the text between them: dashes, signs
//	quotes.go     its quotation marks, apostrophes and primes
//	smilies.go    smilies
//	title.go      titles; the spelling of WordPress
//	locale.go     the strings of a language
//
// Text and a locale go in, HTML with character references comes out; settings are
// arguments. Of wptext's packages it may import escape, markup and shortcode only.
package typography
