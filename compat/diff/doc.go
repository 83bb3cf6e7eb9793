// Package diff finds what differs in two bodies.
//
//   - difference.go: Difference, the part of an answer it is in, and the level at
//     which it is seen
//   - body.go: two bodies; tree.go: two JSON documents
//   - noise.go: what changes by itself and does not count
//
// Texts and trees come in, differences go out. It must not import rules or
// anything that sends: what does not count comes in as a Noise and as a function.
package diff
