// Package images shows pictures of the media library: size.go chooses the file of a
// size and writes a tag, srcset.go offers the other files of the same shape,
// tags.go completes the tags that stand in a text, object.go makes the field
// "image" of an answer.
//
// What comes in is an attachment as read from the database and the site's
// settings; RequestState says whether an important picture was seen already. Of
// wptext's packages it may import wptext, escape, markup, sanitize and scan only.
package images
