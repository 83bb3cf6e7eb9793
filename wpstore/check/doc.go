// Package check checks whether a site's database can be served, and advises what to do
// if it can't.
//
// It turns the servers, the names of the tables and the tables that writes change into a
// [Report] of findings. Problems of the site are findings; errors are for databases
// that can't be queried. It changes nothing. Only sitedb and cmd import it.
//
//   - report.go: [Report] and [Finding]
//   - schema.go: [Site], and [Schema], all checks of one database in order
//   - server.go: version, session and format of the binary log
//   - grants.go, writes.go: the user's privileges to read and to write; storage engines
//   - tables.go: tables and their columns
//   - charsets.go: character sets of connections and columns
//   - facts.go: addresses and the calendar, by the options
//   - feed.go: [Feed], whether the binary log can be followed
//   - lists.go: [Lists], how long a list takes, and which index may help
//   - replicas.go: [Replicas]
package check
