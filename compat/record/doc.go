// Package record makes a recording of a running site.
//
//   - options.go, record.go: the stages, each planned from the answers so far
//   - site.go, index.go, begin.go: how to reach the site, its routes, its description
//   - values.go: values found in answers; plan.go: requests made from them
//   - ask.go: sends every request twice; noise.go: rules for what differed
//   - client.go: rate, retries, logins; file.go: continues an interrupted recording
//   - messages.go: requests that the site refuses, for the messages that a profile needs
//   - writes.go: objects created, changed and deleted, when that is allowed
//
// It turns a URL into a recording and, if wanted, a profile. It must not import replay
// or rules.
package record
