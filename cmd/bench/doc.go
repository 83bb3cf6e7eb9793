// Command bench measures calbridge: it generates calendars, loads a server over
// HTTP, and compares it with the least work that gives the same responses. It is a tool for
// developers, not part of the server. README.md explains how to run it and lists the results.
//
//   - main.go: the subcommands; generate.go fills a database with a synthetic calendar
//   - load.go loads a running server with the requests of scenarios.go
//   - ratios.go compares calbridge with the floor, and the settings of --cache with each
//     other, for each kind of read; process.go starts the servers
//   - index.go starts calbridge and waits for its index of events
//   - search.go measures searches for the words of texts.go
//   - mix.go loads calbridge and a reference with the operations of mixture.go
//   - rivals.go compares calbridge with a reference and with nginx's cache before it
//     (microcache.go), by the work of rivals_load.go; rivals_table.go prints the table
//   - writes.go measures writes, writes_table.go prints them; rowdiff.go finds out which rows
//     a write changes, and writefloor.go commits the same rows; burst.go runs both
//   - record.go and tap.go record calbridge's statements and responses; floor.go does the
//     same work and no more
//   - measure.go loads a server through client.go; process.go and figures.go read which
//     resources the server used; table.go prints results
//
// It turns flags and a database into tables or JSON. It imports wpstore's calendars
// and servers for measuring, no test support.
package main
