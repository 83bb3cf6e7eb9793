// Package escape makes text safe for where it is written: HTML and attributes
// (escape.go), scripts, URLs (url.go). Text goes in, text comes out. It also
// repairs character references: entities.go, ampersand.go.
//
// Of this module it may import scan and wpstore/php only.
package escape
