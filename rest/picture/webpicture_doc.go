// # Pictures of a write
//
// pictures.go stores the pictures that a write names by URL. It turns the URLs of one request into attachments and their files. A [Source] fetches and stores
// the pictures of a server; [Named] holds those of one request. A validator checks whether a URL is
// acceptable (Accept). The write fetches the files before its transaction (Fetch), creates their
// attachments within it (Attach), and removes files without a row afterwards (Drop).
//
// The package must not import render, read or edit.
package picture
