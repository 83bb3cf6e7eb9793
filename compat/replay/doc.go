// Package replay sends recordings to a target and compares the answers.
//
//   - options.go, selection.go: settings, and the selection of exchanges
//   - compare.go: a comparison from its options to its Report
//   - run.go: reading, sending on several connections, collecting in order
//   - ask.go: one exchange, sent and compared
//   - collector.go, report.go, result.go: the outcome
//
// It turns files into a Report. Package report writes it, so replay must not import that
// package.
package replay
