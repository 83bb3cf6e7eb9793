// Package jsontree reads JSON and remembers where each value stands in the text, so
// that untouched parts can be compared byte for byte.
//
//   - parse.go: a document into a tree, JSONP unwrapped; the parser's methods are the
//     productions of the grammar
//   - tree.go: Node, its look-ups, and writing it with other items
//   - path.go: paths to values, and patterns of paths
//   - number.go: values that mean the same in other spellings
//
// Text comes in, trees and paths go out. It imports no other package of compat but
// excerpt.
package jsontree
