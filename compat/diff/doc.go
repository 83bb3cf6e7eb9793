// Package diff finds the differences between two bodies.
//
//   - difference.go: Difference, the part of an answer it is in, and the level at
//     which it is seen; cause.go: what explains it
//   - body.go: two bodies; tree.go: two JSON documents
//   - excerpt.go: short forms of long texts, for messages
//   - noise.go: values that change by themselves and do not count
//
// It turns texts and trees into differences. It must not import rules or anything that
// sends: a Noise and a function describe what does not count.
package diff
