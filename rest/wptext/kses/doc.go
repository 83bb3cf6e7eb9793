// Package kses is the HTML filter that WordPress applies to what authors write who
// are not trusted. kses.go runs over text and comments, tag.go filters a tag,
// css.go its styles, blocks.go the attributes of block comments. allowed.go and
// elements.go are the lists of what is allowed.
//
// Text goes in, text with allowed HTML comes out; the work on hostile comments is
// bounded by a budget. Of wptext's packages it may import blockparse, escape and
// scan only: what is stored must not depend on how it is shown.
package kses
