// Package check looks whether a site's database can be served, and says what to mend.
//
// What comes in are the servers, the names of the tables and what writes change; what
// goes out is a [Report] of findings, each with an advice where something is to be
// done. Nothing is changed. What is wrong with the site is a finding; errors are for
// databases that could not be asked.
//
//   - report.go: [Report] and [Finding]
//   - site.go: [Site], what is checked
//   - schema.go: [Schema], all checks of one database in order
//   - server.go: version, session and format of the binary log
//   - grants.go, writes.go: the user's privileges
//   - tables.go: tables and their columns; facts.go: versions of WordPress and of the
//     calendar, by the options
//   - feed.go: [Feed], whether the binary log can be followed
//   - replicas.go: [Replicas]
package check
