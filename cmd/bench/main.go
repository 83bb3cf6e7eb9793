// Command bench measures calbridge: it generates calendars, loads a server over
// HTTP, and compares it with the least work that answers the same. It is for those
// who work on calbridge; nothing of it is served.
//
//   - generate.go fills a database with a synthetic calendar, scenarios.go says what
//     to ask of it, load.go asks that of a server that runs.
//   - ratios.go starts calbridge and the floor in turn and compares them. record.go
//     and tap.go record what calbridge sends to its database and answers, floor.go
//     does the same work and no more.
//   - measure.go puts a server under load through client.go, process.go and figures.go
//     read what it used, table.go prints results.
//
// It imports no test support.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// command is one of the subcommands; it writes its result to out and its progress
// to log.
type command struct {
	name, summary string
	run           func(ctx context.Context, args []string, out, log io.Writer) error
}

func commands() []command {
	return []command{
		{"generate", "fill an empty database with a calendar", generateCommand},
		{"load", "load a running server over HTTP", loadCommand},
		{"ratios", "start floor, bare handler and calbridge in turn and compare them", ratiosCommand},
		{"floor", "serve recorded answers with no more work than needed; ratios starts it", floorCommand},
	}
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == args[0] {
				return c.run(ctx, args[1:], out, log)
			}
		}
	}
	fmt.Fprint(log, "Usage: bench COMMAND [flags]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(log, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(log, "\n`bench COMMAND --help` lists the flags.\n")
	if len(args) == 0 {
		return flag.ErrHelp
	}
	return fmt.Errorf("there is no command %q", args[0])
}

// newFlags returns the flags of a command, which report mistakes to log.
func newFlags(name string, log io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("bench "+name, flag.ContinueOnError)
	flags.SetOutput(log)
	return flags
}
