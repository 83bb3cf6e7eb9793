// Package report writes the result of a comparison: summary.go as text, json.go as JSON
// (described by schema.json), junit.go as JUnit XML, html.go as a page made of page.html,
// style.css, script.js and diff.js. files.go writes the requested files.
//
// It turns a replay.Report into bytes. It must not import packages that record or send.
package report
