// Package webpicture stores the pictures that a write names by URL.
//
// pictures.go: a [Source] is where a server's pictures come from and go to; [Named] are those
// of one request. A validator asks whether a URL is acceptable (Accept), the write fetches
// the files ahead of its transaction (Fetch), makes their attachments within (Attach), and
// removes files that no row speaks of afterwards (Drop).
//
// It knows nothing of events; it imports access, wpsite, the store and leafs.
package webpicture
