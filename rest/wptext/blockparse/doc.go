// Package blockparse reads the comments by which the block editor marks blocks; package
// blocks renders them.
//
//	parse.go  finds the comments and nests the blocks
//	attrs.go  reads attributes; the form of a block that WordPress hashes
//
// Text goes in, a list of [Block] comes out. Of wptext's packages it may import markup
// only.
package blockparse
