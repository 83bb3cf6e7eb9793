// Package wire sends requests exactly as recorded: wire.go has a connection to a target,
// curl.go writes a request as a command line. It returns answers and times. Of compat it
// imports only recording.
package wire
