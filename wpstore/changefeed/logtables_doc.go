// Package logtables has the tables of a site that the change feed follows, as the binary
// log shows them: as rows, whose columns the log has by number, and as statements.
//
//   - tables.go: [Tables], which adds rows and statements to the changes of a transaction
//   - layout.go: where the columns of a table are
//   - statement.go: what a statement changes
package changefeed
