// Package compat is QA for a calendar API as a black box over HTTP: it records a
// running site, replays recordings against a target, reports what differs, and
// gathers a site's wording (its profile) from the recordings. This package holds the
// commands that cmd/calbridge offers (command.go); the packages below do the work.
// README.md describes formats, levels and rules.
//
// It shares no code with the server: no package in here imports rest, wpstore or
// i18n. An oracle that used the server's own encoder, router or parameter rules
// would agree with the server's mistakes.
//
// The packages, each of which imports only packages listed above it
// (cmd/calbridge/imports_test.go has the exact rules):
//
//	jsontree   JSON with the order of its members and its bytes; paths into it
//	recording  exchanges and write cases, their files (JSON Lines, HAR), credentials
//	wprest     the route and language of a request, by WordPress's rules
//	diff       differences between two bodies; levels; noise
//	explain    causes of differences: known ones of calbridge, headers, times, addresses
//	rules      the rules file: differences to ignore, and known ones
//	replay     a whole comparison, and its Report; a Judge for a running server
//	report     the Report as text, JSON, JUnit XML and HTML
//	profile    the site's wording, from recordings
//	record     a recording of a running site
//
// # The path of one replayed exchange
//
//	RunCompare                  flags → replay.Options
//	replay.Compare              reads the site, rules and scope files, connects once
//	recording.Read              a line of the recording, or an entry of a HAR file → Exchange
//	planned                     the selection may skip it, with a reason
//	asker.ask                   one goroutine for each connection: Exchange → bytes to send, by
//	  wprest.Rewrite.Request    the target's namespace in the place of the recorded one
//	  rules.Active.Request      applies ids and replacements of the rules
//	  requests.bytes            Host and Authorization
//	Conn.Send                   bytes → recording.Response, and the time it took
//	Differ.Diff                 recorded and given Response → []diff.Difference: status, headers
//	  diff.Bodies               and the body: jsontree.Parse makes trees of both,
//	                            rules.Active.Reconcile removes what the rules ignore, diff.Noise
//	                            what changes by itself; the rest differs
//	  explain.Explain           names causes: it applies each to the recorded answer and compares
//	                            again; for S1, S2 and S9 it asks the target for single entries
//	collect                     one goroutine; results in the order of the recordings
//	  rules.Set.Settle          numbers known differences, adds one for each that is missing
//	  OutcomeOf                 → Same, Intended, Headers, Raced, Known or Different
//	collector.add               Result → Report
//	rules.Set.Conclude          which rules were used; Of: what no exchange requested
//	report.Summary, report.Files.Write   Report → text and files
package compat
