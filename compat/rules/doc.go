// Package rules is the rules file: what does not count in a comparison, and what is
// known to differ.
//
//   - file.go: the file's format, read and checked; compile.go: made ready for use
//   - active.go: the rules about one exchange, applied to the request and the answer
//   - reconcile.go, ids.go: the same inside two JSON documents
//   - known.go: known differences; use.go: what became of the rules in the end
//
// Exchanges, answers and differences come in; they go out changed or numbered. It
// must not import verdict or replay, which ask it.
package rules
