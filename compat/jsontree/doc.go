// Package jsontree parses JSON and records the position of each value in the text, so
// that untouched parts can be compared byte for byte.
//
//   - parse.go: parses a document into a tree and unwraps JSONP; the parser's methods
//     are the productions of the grammar
//   - tree.go: Node, its look-ups, and writing it with other items
//   - path.go: paths to values, and patterns of paths
//   - number.go: equality of values with different spellings
//
// It turns text into trees and paths. Of compat it imports only excerpt.
package jsontree
