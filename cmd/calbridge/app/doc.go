// Package app is the program: it runs the subcommand that was called.
//
//   - app.go: Main, Run, and the table of subcommands
//   - serve.go, demo.go, demo_load.go, check.go, healthcheck.go: one subcommand each;
//     check_upstream.go: the comparison of check
//   - recordings.go: the subcommands for recordings, which package compat implements
//
// In come arguments, environment and two outputs; out goes an exit code. A subcommand only
// wires other packages together:
//
//   - cmdline, settings: arguments and settings
//   - site, sitecheck, sitecompare, cachesync, companion, diffmode: the site that is served
//   - daemon, httpserver, ratelimit, memlimit, logging, buildinfo: the serving process
//   - demo: the sample calendar
//   - systemtest: tests of the whole program
//
// Only package main and tests may import app.
package app
