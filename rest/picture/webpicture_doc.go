// Package webpicture stores the pictures that a write names by URL.
//
// In: URLs of one request. Out: attachments and their files. A [Source] is where a
// server's pictures come from and go to; [Named] are those of one request. A validator
// asks whether a URL is acceptable (Accept), the write fetches the files ahead of its
// transaction (Fetch), creates their attachments within it (Attach), and removes files
// that no row names afterwards (Drop). All of it is in pictures.go.
//
// It must not import events, render, read or edit.
package picture
