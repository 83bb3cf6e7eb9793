// Package compat is QA for a calendar API as a black box over HTTP: it records a
// running site, replays recordings against a target, says what differs, and
// gathers a site's wording (its profile) from the recordings.
//
// It shares no code with the server. An oracle that used the server's own
// encoder, router or parameter rules would agree with the server's mistakes, so
// everything here (JSON, the HTTP client, the little that must be known of
// WordPress requests) is written for itself.
//
// The parts, in the order in which data flows:
//
//   - record.go: a recording of a running site; record_begin.go, record_index.go
//     and record_view.go plan it, record_values.go finds values for it,
//     record_client.go asks politely, record_ask.go asks twice, record_noise.go
//     tells what changes by itself, record_file.go goes on where it stopped,
//     record_writes.go changes things, when that is allowed;
//   - recording.go, recording_read.go, header.go: the recordings' format and its
//     reader; har.go, har_read.go, convert.go: HAR beside it; redact.go: what never
//     is in a recording; site.go and scope.go: the files beside them;
//   - namespace.go: recordings of one namespace asked of a target under another;
//   - wire.go: one exchange, sent byte for byte as recorded;
//   - jsontree.go, jsonpath.go, noise.go: JSON that keeps its order and its
//     bytes, and the rules about what in it does not count;
//   - rules*.go: the rules file: what does not count, and what is known to differ;
//   - diff.go, json_diff.go, level.go: what differs between two answers, and how
//     closely is looked;
//   - compare.go, replay.go, shard.go, result.go, report.go: a whole run and its
//     outcome; coverage.go: what it never asked;
//   - report_*.go: the outcome as text, JSON, JUnit XML and HTML, the latter of the
//     files in the folder report; curl.go: a case as a command line;
//   - judge.go, journal.go: the same for answers as they come, in a running server;
//   - profile_*.go: the site profile; its JSON is described in profile_format.go;
//   - command.go: what the commands do once their options are parsed.
package compat
