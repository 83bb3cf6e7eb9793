// Command bench measures calbridge: it generates calendars, loads a server over
// HTTP, and compares it with the least work that gives the same responses. It is a tool for
// developers, not part of the server. README.md describes how to run it, and the results.
//
//   - main.go: the subcommands; generate.go fills a database with a synthetic calendar
//   - load.go loads a running server with the requests of scenarios.go
//   - ratios.go compares calbridge with the floor, both started by process.go, and its
//     settings of the cache with each other, for each kind of read
//   - index.go starts calbridge and waits for its index of events
//   - mix.go loads calbridge and a reference with the operations of mixture.go
//   - writes.go measures writes, writes_table.go prints them; writefloor.go commits the same
//     rows, which rowdiff.go finds out; burst.go runs both
//   - record.go and tap.go record what calbridge sends to its database and answers;
//     floor.go does the same work and no more
//   - measure.go loads a server through client.go; process.go and figures.go read what
//     the server used; table.go prints results
//
// Flags and a database come in, tables or JSON go out. It imports wpstore's calendars
// and servers for measuring, no test support.
package main
