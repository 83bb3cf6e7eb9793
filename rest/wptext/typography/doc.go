// Package typography turns plain characters into typographic ones: texturize.go
// walks over tags and shortcodes and hands the text between them to text.go,
// which deals with dashes and signs, and quotes.go. locale.go holds the strings
// of a language. smilies.go and title.go are the smaller filters of titles and
// texts.
//
// It knows no site: settings are arguments. Of wptext's packages it may import
// escape, markup, shortcode and scan only.
package typography
