// Package replay sends recordings to a target and compares the answers.
//
//   - options.go, selection.go: what is compared with what, and which part of it
//   - compare.go: a comparison from its options to its Report
//   - run.go: reading, sending on several connections, collecting in order
//   - ask.go: one exchange, sent and compared
//   - collector.go, report.go, result.go: the outcome
//
// Files come in, a Report goes out, which package report shows: replay must not import
// that.
package replay
