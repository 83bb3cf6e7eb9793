// Package rules implements the rules file: what does not count in a comparison, and which
// differences are known.
//
//   - file.go: the file's format, read and checked; compile.go: made ready for use
//   - active.go: the rules for one exchange, applied to the request and the answer
//   - reconcile.go, ids.go: the same inside two JSON documents
//   - known.go: known differences; use.go: how the rules were used
//
// It changes exchanges and answers and numbers differences. It must not import verdict
// or replay, which call it.
package rules
