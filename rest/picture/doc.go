// Package picture stores pictures in WordPress's uploads folder as WordPress itself
// would have: the file under its month, the smaller copies that the site's settings
// ask for, and the description of all of them that goes into the metadata of the
// attachment.
//
// A picture's bytes decide what it is, not its name or what a server claims. Copies
// are made of JPEG, PNG and GIF; there is no encoder for WebP, whose pictures are
// stored as they are, as on a host whose image library lacks it.
//
// In: the bytes, the URL they came from, the sizes. Out: files, and their metadata.
//
//	read.go   recognising a picture, its bounds, what decoding it takes
//	exif.go   orientation and sampling of JPEG files
//	name.go   safe file names
//	size.go   sizes of copies
//	copy.go   scaling and encoding
//	store.go  writing and removing the files
//
// It imports wpstore/php and nothing else of this module.
package picture
