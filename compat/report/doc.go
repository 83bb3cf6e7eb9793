// Package report writes what came of a comparison: summary.go as text, json.go as
// JSON (schema.json describes it), junit.go as JUnit XML, html.go as a page of
// page.html, style.css, script.js and diff.js; files.go writes the files that are
// asked for.
//
// A replay.Report comes in, bytes go out. It must not import what records or sends.
package report
