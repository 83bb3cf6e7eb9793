// Package replay sends recordings to a target and compares the answers.
//
//   - options.go, selection.go: settings, and the selection of exchanges
//   - compare.go: a comparison from its options to its Report
//   - run.go: reading, sending on several connections, collecting in order
//   - ask.go: one exchange, sent and compared; target.go: what explanations know of the target
//   - collector.go, report.go, result.go: the outcome; group.go: differences by cause
//   - coverage.go: what exchanges ask of the API that a namespace index advertises
//   - answers.go, judge.go: one response compared; wire.go, curl.go: one request sent or written
//
// It turns files into a Report. Package report writes it, so replay must not import that
// package.
//
// # Comparing
//
// answers.go compares one response with the recorded one, at a level, under rules; judge.go
// does so in a running server. They turn exchanges and responses into differences and an
// Outcome.
package replay
