// Package picture stores pictures in WordPress's uploads folder as WordPress itself does: the file
// under its month, the smaller copies that the site's settings require, and the description of all
// of them for the attachment's metadata.
//
// A picture's type is decided by its bytes, not by its name or by what a server claims. Copies are
// made of JPEG, PNG and GIF. There is no encoder for WebP: such pictures are stored as they are, as
// on a host whose image library lacks it.
//
// It turns the bytes, the URL they came from and the sizes into files and their metadata.
//
//	read.go   recognising a picture, its bounds, what decoding it takes
//	exif.go   orientation and sampling of JPEG files
//	name.go   safe file names
//	size.go   sizes of copies
//	copy.go   scaling and encoding
//	store.go  writing and removing the files
package picture
