// Package compat is QA for a calendar API as a black box over HTTP: it reads
// recordings of a running site, replays them against a target, says what
// differs, and gathers a site's wording (its profile) from the recordings.
//
// It shares no code with the server. An oracle that used the server's own
// encoder, router or parameter rules would agree with the server's mistakes, so
// everything here (JSON, the HTTP client, the little that must be known of
// WordPress requests) is written for itself.
//
// The parts, in the order in which data flows:
//
//   - recording.go, recording_read.go: the recordings' format and its reader;
//     site.go and scope.go: the files beside them;
//   - namespace.go: recordings of one namespace asked of a target under another;
//   - wire.go: one exchange, sent byte for byte as recorded;
//   - jsontree.go, jsonpath.go, noise.go: JSON that keeps its order and its
//     bytes, and the rules about what in it does not count;
//   - diff.go, json_diff.go: what differs between two answers;
//   - compare.go, replay.go, report.go: a whole run and its outcome;
//   - profile_*.go: the site profile; its JSON is described in profile_format.go;
//   - command.go: what the commands do once their options are parsed.
package compat
