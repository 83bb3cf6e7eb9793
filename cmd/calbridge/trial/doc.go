// Package trial has what the command trial needs besides other commands' packages: whether a site
// can be recorded at all, and the verdict.
//
//   - probe.go: [Probe], one request to the site's REST index, and the obstacles it may meet
//   - verdict.go: [Verdict], what was found, in at most [MostLines] lines
//
// It turns responses of the site, findings of check and the report of a comparison into text. It
// opens no database, and neither records nor serves; package app does, in this order.
package trial
