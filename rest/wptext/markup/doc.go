// Package markup reads HTML as WordPress does, as offsets into the text. It builds
// no tree and never fails: what isn't closed takes the rest.
//
//	tokens.go  cuts text into tags, comments and the text between them
//	tag.go     opening tags and their attributes; adds classes and attributes
//
// Of this module it may import scan only.
package markup
