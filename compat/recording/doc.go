// Package recording defines recorded requests and answers (exchanges and write cases)
// and reads and writes the files that contain them.
//
//   - exchange.go, case.go: the types; body.go: their JSON
//   - header.go: the first line of a file; site.go: site and password files
//   - read.go: reads files, compressed or not; file.go, gzip.go: write and continue them
//   - har.go, har_read.go: write and read HAR; convert.go: converts between formats
//   - journal.go: a recording of bounded size that a running server writes
//   - redact.go: removes credentials
//   - url.go: origins, Link headers and queries
//
// It reads files entry by entry and never holds a whole file. It imports no other
// package of compat and neither compares nor sends.
package recording
