// Package restores notices that tables change past the binary log, as when a dump is
// restored whose statements are not logged.
//
//   - detector.go: [Detector] compares what the log has had with what the server says
//   - state.go: what the server says of its tables
package changefeed
