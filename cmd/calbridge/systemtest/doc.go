// Package systemtest tests the program as a whole: command lines, and servers with a database,
// also under load, in outages and when they are killed. It contains only tests. They share one
// process, because they share the database servers and the dumps that wptest starts and loads
// once per process.
//
//   - program_test.go, serve_test.go, lifecycle_test.go: starting the program, in
//     this process or in its own
//   - replay*, language*, safe*, interface*: recordings and what is published
//   - write*, invalid*, kill*, beside*, own_writes*, integrity*: writing
//   - coherence*, failover*, cluster*, outage*, dbkill*: caches, replicas and outages
//   - fuzzed*, hostile*, soak*, memory*: generated and hostile requests, and high load
//   - testdata: command lines, and scripts for the browser
//
// A test of one unit stands beside that unit instead.
package systemtest
