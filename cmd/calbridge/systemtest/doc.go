// Package systemtest tests the program as a whole: command lines, servers with a
// database, and what becomes of them under load, in outages and when they are
// killed. It holds tests only. They share one process, because they share the
// database servers and the dumps that wptest starts and loads once in a process.
//
//   - program_test.go, serve_test.go, lifecycle_test.go: starting the program, in
//     this process or in its own
//   - replay*, language*, safe*, interface*: recordings and what is published
//   - write*, invalid*, kill*, beside*, own_writes*, integrity*: writing
//   - coherence*, failover*, cluster*, outage*, dbkill*: caches, replicas and outages
//   - fuzzed*, hostile*, soak*, memory*: made-up requests, and much of everything
//   - testdata: command lines, and what the browser runs
//
// A test of one unit stands beside that unit instead.
package systemtest
