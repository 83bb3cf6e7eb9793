// Package record makes a recording of a running site.
//
//   - options.go, record.go: the stages, each planned from the answers so far
//   - site.go, index.go, begin.go: how the site is asked, its routes, its description
//   - values.go: values found in answers; plan.go: the requests made of them
//   - ask.go: every request asked twice; noise.go: rules for what differed in between
//   - client.go: rate, retries, logins; file.go: continues an interrupted recording
//   - writes.go: objects created, changed and deleted, when that is allowed
//
// A URL comes in, a recording and, if wanted, a profile go out. It must not import
// replay or rules.
package record
