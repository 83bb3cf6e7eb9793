// Package app is the program: it runs the subcommand that was called.
//
//   - app.go: Main, Run, and the table of subcommands
//   - serve.go, demo.go, demo_load.go, check.go, healthcheck.go, top.go, mirror.go: one subcommand
//     each; check_upstream.go: the comparison of check; check_sites.go: one line for each of several
//     sites
//   - ops.go: requests to a running server
//   - proof.go: what mode auto has proven; proof_warm.go: requests that prove it sooner
//   - manual.go: completions and the man page, made from the help of all subcommands
//   - trial.go: check, record, serve and compare in one, with the verdict of package trial
//   - bar.go: progress bars; progress.go: progress as lines, without a terminal
//   - recordings.go: the subcommands for recordings, which package compat implements;
//     password.go: the application password for --user
//
// It turns arguments and the environment into output and an exit code. A subcommand only
// wires other packages together:
//
//   - cmdline, settings: arguments and settings
//   - sites: several sites in one process
//   - site, sitecheck, sitecompare, cachesync, companion, diffmode: the site that is served
//   - daemon, console, httpserver, logging, buildinfo: the serving process
//   - trial: obstacles and the verdict of a trial
//   - warmup: the requests of proof warm
//   - mirror: the copy of a remote calendar
//   - demo: the sample calendar, and the page that it opens with
//   - systemtest: tests of the whole program
//
// Only package main and tests may import app.
package app
