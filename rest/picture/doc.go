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
//
// # Fetching
//
// client.go downloads files from URLs that strangers name, without letting them reach what
// only this machine can reach. Every address is checked after its name is resolved and again when
// connecting. So neither redirects nor names that change their address (DNS rebinding) lead to
// private, loopback, link-local or metadata addresses. Sizes, times, redirects and ports are
// bounded. Proxies of the environment, cookies and credentials are not used.
//
// It takes URLs, and in tests a resolver and a dialer, and returns the status and media type
// ([Client.Head]) or the body ([Client.Get]).
//
//	client.go   the client, its bounds, URLs, connecting
//	address.go  which addresses are of the public internet
//
// # Pictures of a write
//
// pictures.go stores the pictures that a write names by URL. It turns the URLs of one request into
// attachments and their files. A [Source] fetches and stores the pictures of a server; [Named]
// holds those of one request. A validator checks whether a URL is
// acceptable (Accept). The write fetches the files before its transaction (Fetch), creates their
// attachments within it (Attach), and removes files without a row afterwards (Drop).
//
// The package must not import render, read or edit.
package picture
