// Package diff finds what differs in two bodies or in two sets of changed rows.
//
//   - difference.go: Difference, the part of an answer it is in, and the level at
//     which it is seen
//   - body.go: two bodies; tree.go: two JSON documents
//   - noise.go: what changes by itself and does not count
//   - rows.go: the rows that a write changed
//
// Texts, trees and rows come in, differences go out. It must not import rules or
// anything that sends: what does not count comes in as a Noise and as a function.
package diff
