// # Restored tables
//
// Tables may change without being logged, for example when a dump is restored whose
// statements are not logged.
//
//   - detector.go: [Detector] compares what the log has had with what the server reports
//   - state.go: the server's report on its tables
package changefeed
