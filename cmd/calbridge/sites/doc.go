// Package sites serves several sites in one process: those of a file, or those of a WordPress network.
//
//   - open.go: opens what the settings name
//   - check.go: whether each site can be served
//   - set.go: Set, which passes each request on to its site; entry.go: one site, which its first
//     request opens; turns.go: shares the processors among sites
//   - connections.go: connections to databases and their binary logs, which sites share
//   - idle.go: sites that nobody asks for are closed again
//   - union.go: the calendar over all sites, which package rest/union answers
//   - served.go: the methods that package daemon calls
//   - named.go: the site that the flag --site names
//   - source.go: Source, which finds the site of an address; file.go: the sites of a file
//   - network.go: the sites of a network, which follow its tables; address.go: how WordPress finds a
//     site
//
// A site is a site.Live with settings of its own. Sites share nothing but connections to the database,
// its binary log, and the listeners and processors of the process. A site that can't be opened harms no other one.
package sites
