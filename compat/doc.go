// Package compat is QA for a calendar API as a black box over HTTP: it records a
// running site, replays recordings against a target, says what differs, and
// gathers a site's wording (its profile) from the recordings. This package holds
// the commands that cmd/calbridge offers (command.go); the work is done below.
//
// It shares no code with the server: no package in here imports rest, wpstore or
// i18n. An oracle that used the server's own encoder, router or parameter rules
// would agree with the server's mistakes.
//
// The packages; each imports only those that stand above it (the table in cmd/calbridge/imports_test.go says
// which):
//
//	excerpt    short forms of long texts, for messages
//	jsontree   JSON with the order of its members and its bytes; paths into it
//	recording  exchanges and write cases, their files (JSON Lines, HAR), credentials
//	wire       one connection, requests byte for byte as recorded
//	wprest     the little that must be known of WordPress: routes, index, languages
//	diff       what differs in two bodies; levels; noise
//	rules      the rules file: what does not count, and what is known to differ
//	verdict    an answer against the recorded one; a Judge of answers as they come
//	coverage   what the exchanges never ask of the API
//	replay     a whole comparison, and its Report
//	report     the Report as text, JSON, JUnit XML and HTML
//	profile    the site's wording, from recordings
//	record     a recording of a running site
//
// # The walk of one replayed exchange
//
//  1. RunCompare (replay.Options → exit code) calls replay.Compare, which reads the
//     site, rules and scope files and connects once.
//  2. recording.Read (file → Entry): a line of the recording, or an entry of a HAR
//     file, becomes a recording.Exchange.
//  3. exchangeTask (Exchange → task): the selection may skip it, with a reason.
//  4. asker.ask, one goroutine for each connection, takes the exchange:
//     wprest.Rewrite.Request puts the target's namespace in the place of the recorded
//     one; rules.Active.Request applies ids and replacements; requests.bytes adds Host
//     and Authorization and writes the bytes that were recorded.
//  5. wire.Conn.Send (bytes → recording.Response, time taken) asks the target.
//  6. verdict.Differ.Diff (recorded and given Response → []diff.Difference) compares
//     status, headers and, by diff.Bodies, the body. jsontree.Parse makes trees of
//     both bodies, rules.Active.Reconcile makes equal what does not count,
//     diff.Noise.canonical takes out what changes by itself, diff.Trees finds the rest.
//  7. collect, one goroutine, puts the results into the order of the recordings.
//     rules.Set.Settle numbers known differences and adds one for each that is gone;
//     verdict.OutcomeOf says Same, Known or Different.
//  8. collector.add (Result → Report) counts it. At the end rules.Set.Conclude says
//     which rules were used, and coverage.Of what was never asked.
//  9. report.Summary and report.Files.Write (Report → text and files).
package compat
