// Package recording is what was asked of a site and answered: exchanges, write
// cases, and the files that hold them.
//
//   - exchange.go, case.go: the types; body.go: their JSON
//   - header.go: the first line of a file; site.go: site and password files
//   - read.go: reads files, compressed or not; file.go, gzip.go: write and continue them
//   - har.go, har_read.go: HAR, written and read; convert.go: one format into the other
//   - journal.go: a recording of bounded size that a running server writes
//   - redact.go: takes credentials out
//   - url.go: origins, Link headers and queries
//
// Files come in, entries go out one by one; it never holds a whole file. It imports
// no other package of compat and neither compares nor sends.
package recording
