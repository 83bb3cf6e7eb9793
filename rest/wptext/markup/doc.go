// Package markup reads HTML as WordPress does: tokens.go cuts text into tags,
// comments and the text between them; tag.go finds opening tags and their
// attributes as offsets, and adds classes and attributes to them. It builds no
// tree and never fails: what is not closed takes the rest.
//
// Of this module it may import scan only.
package markup
