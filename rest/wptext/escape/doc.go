// Package escape makes text safe for the place it is written to, and repairs
// character references.
//
//	escape.go     HTML, attributes, JavaScript; backslashes
//	url.go        URLs and their schemes
//	entities.go   character references of HTML filters
//	rules.go      what differs between releases of WordPress
//	ampersand.go  lone ampersands, references to Windows-1252
//
// Text goes in, text comes out. Of this module it may import markup, trait and
// wpstore/php only.
package escape
