// Package source has the server whose binary log the change feed follows: connections to
// it, and the questions that the feed asks it.
//
//   - source.go: [Source]: whether it is the primary, its position, what everyone can read
//   - node.go: the state of a server, in the words of its kind
//   - settings.go: the settings of its log, and which of them are in the way
package changefeed
