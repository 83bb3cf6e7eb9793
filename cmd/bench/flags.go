package main

import (
	"flag"
	"io"
)

// newFlags returns the flag set of a command. It reports mistakes to log.
func newFlags(name string, log io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("bench "+name, flag.ContinueOnError)
	flags.SetOutput(log)
	return flags
}
