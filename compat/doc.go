// Package compat is QA for a calendar API as a black box over HTTP: it records a
// running site, replays recordings against a target, reports what differs, and
// gathers a site's wording (its profile) from the recordings. This package holds the
// commands that cmd/calbridge offers (command.go); the packages below do the work.
// README.md describes formats, levels and rules, and the walk of one replayed exchange.
//
// It shares no code with the server: no package in here imports rest, wpstore or
// i18n. An oracle that used the server's own encoder, router or parameter rules
// would agree with the server's mistakes.
//
// The packages; each imports only those that stand above it (cmd/calbridge/imports_test.go
// says which):
//
//	excerpt    short forms of long texts, for messages
//	jsontree   JSON with the order of its members and its bytes; paths into it
//	recording  exchanges and write cases, their files (JSON Lines, HAR), credentials
//	wire       one connection, requests byte for byte as recorded
//	wprest     what a request is about, as WordPress sees it: routes, languages
//	diff       what differs in two bodies; levels; noise
//	rules      the rules file: differences to ignore, and known ones
//	verdict    an answer against the recorded one; a Judge of a running server's answers
//	coverage   what the exchanges never ask of the API
//	replay     a whole comparison, and its Report
//	report     the Report as text, JSON, JUnit XML and HTML
//	profile    the site's wording, from recordings
//	record     a recording of a running site
package compat
