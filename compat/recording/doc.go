// Package recording is what was asked of a site and answered: exchanges, write
// cases, and the files that hold them.
//
//   - exchange.go, case.go: the types; body.go: their JSON
//   - header.go: the first line of a file; site.go: the files beside recordings
//   - read.go: reading files, packed or not; har.go, har_read.go: HAR, written and
//     read; convert.go: one format into the other
//   - journal.go: a recording of bounded size that a running server writes
//   - redact.go: what is never in a recording
//   - url.go: origins, Link headers and queries
//
// Files come in, entries go out one by one; no file is held whole. It imports no
// other package of compat but excerpt: it knows nothing of comparing or sending.
package recording
