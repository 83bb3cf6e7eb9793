// Package images shows pictures of the media library.
//
//	size.go    the file of a named size; a whole tag
//	srcset.go  the other files of the same shape
//	tags.go    completes the image and frame tags of a text
//	object.go  the field "image" of an answer
//
// An attachment as read from the database and the site's settings come in, HTML or a
// PHP value comes out; RequestState records whether an important picture was seen. Of
// wptext's packages it may import wptext, escape, markup and sanitize only.
package images
