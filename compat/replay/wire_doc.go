// Package wire sends requests as they were recorded: wire.go holds one connection to
// a target, curl.go writes a request as a command line. Requests come in, answers and
// times go out. Of compat it imports recording only.
package replay
