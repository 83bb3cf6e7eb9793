// Package kses is the HTML filter for what users without the capability
// unfiltered_html write.
//
//	kses.go      text and comments
//	tag.go       a tag and its attributes
//	written.go   attributes as they were read before WordPress 7.0
//	css.go       the attribute style
//	blocks.go    the attributes of block comments
//	allowed.go   the lists of what is allowed
//	elements.go  those lists, by release of WordPress
//	save.go      all that saving does to the texts of a post
//
// Text goes in, text with allowed HTML comes out; a budget bounds the work on
// hostile comments. Of wptext's packages it may import blockparse, escape and
// markup only, besides trait: what is stored must not depend on how it is shown.
package kses
