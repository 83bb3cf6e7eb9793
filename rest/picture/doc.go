// Package picture stores pictures in WordPress's uploads folder as WordPress itself
// would have: the file under its month, the smaller copies that the site's settings
// ask for, and the description of all of them that goes into the metadata of the
// attachment.
//
// What a picture is, its bytes say, never its name or what a server claims. Copies
// are made of JPEG, PNG and GIF; there is no encoder for WebP, whose pictures are
// stored as they are, as on a host whose image library lacks it.
package picture
