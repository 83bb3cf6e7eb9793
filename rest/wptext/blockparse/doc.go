// Package blockparse reads the comments by which the block editor marks blocks:
// parse.go finds them and nests blocks, attrs.go reads attributes, collects one of
// all blocks of a name, and gives a block the form that WordPress hashes. Text goes in, a list of [Block] comes out; what blocks look
// like is the matter of package blocks.
//
// Of wptext's packages it may import scan only.
package blockparse
