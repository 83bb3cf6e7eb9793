// Package kses is the HTML filter for what users without the capability
// unfiltered_html write.
//
//	kses.go      text and comments
//	tag.go       a tag and its attributes
//	css.go       the attribute style
//	blocks.go    the attributes of block comments
//	allowed.go   the lists of what is allowed
//	elements.go  the list for posts
//
// Text goes in, text with allowed HTML comes out; a budget bounds the work on
// hostile comments. Of wptext's packages it may import blockparse, escape, markup
// and scan only: what is stored must not depend on how it is shown.
package kses
