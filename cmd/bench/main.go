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

// command is a subcommand. It writes its result to out and its progress to log.
type command struct {
	name, summary string
	run           func(ctx context.Context, args []string, out, log io.Writer) error
}

func commands() []command {
	return []command{
		{"generate", "fill an empty database with a calendar", generateCommand},
		{"load", "load a running server over HTTP", loadCommand},
		{"index", "measure how long the index of events takes to load, and its memory", indexCommand},
		{"search", "measure searches with and without the index of texts, by word and size", searchCommand},
		{"mix", "load calbridge with repeated and new reads and writes, beside a reference", mixCommand},
		{"rivals", "measure calbridge beside a reference, alone and behind nginx's cache", rivalsCommand},
		{"writes", "measure writes beside another program and a floor", writesCommand},
		{"ratios", "start floor, bare handler and calbridge in turn and compare them", ratiosCommand},
		{"routes", "measure each kind of read from memory, strictly and from the database", routesCommand},
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
