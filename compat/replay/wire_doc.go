// # Sending
//
// wire.go sends requests as they were recorded, over one connection to a target; curl.go writes
// a request as a command line.
package replay
