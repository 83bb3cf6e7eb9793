// # Tables followed
//
// The binary log shows the tables of a site as rows, whose columns are numbered, and as
// statements.
//
//   - tables.go: [Tables], which adds rows and statements to the changes of a transaction
//   - layout.go: the positions of the columns of a table
//   - statement.go: what a statement changes
package changefeed
