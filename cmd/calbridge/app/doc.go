// Package app is the program: it finds the subcommand that was called and runs it.
//
//   - app.go: Main, Run, and the table of subcommands
//   - serve.go, demo.go, demo_load.go, check.go, healthcheck.go: one subcommand each
//   - recordings.go: the subcommands about recordings, which package compat carries out
//
// In come arguments, environment and two outputs; out goes an exit code. A
// subcommand only wires: it reads what it is told, hands each package its part, and
// calls it. What does more has a package of its own beside this one:
//
//   - cmdline and settings: how subcommands are called, and with which settings
//   - site, sitecheck, cachesync, companion, diffmode: the site that is served
//   - daemon, httpserver, ratelimit, memlimit, sdnotify, logging, buildinfo: the
//     process that serves it
//   - demo: the sample calendar
//   - systemtest: tests of the whole
//
// Nothing but package main and tests imports app.
package app
