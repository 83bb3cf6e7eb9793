// Command calbridge answers the calendar REST API of a WordPress site from the
// site's own database.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	_ "time/tzdata" // containers often have no time zones of their own
)

// Exit codes. Commands with more of them say so in their help.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	runtime.MemProfileRate = 0 // sampling allocations costs three percent; --pprof turns it on
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// program is what a command may use of the process it runs in.
type program struct {
	getenv         func(string) string
	stdout, stderr io.Writer
}

// command is one of the program's subcommands.
type command struct {
	name    string
	args    string // as shown after the name
	summary string
	run     func(ctx context.Context, p *program, args []string) error
}

// commands lists the subcommands in the order of the help.
func commands() []command {
	return []command{
		{"serve", "[flags]", "answer the API of a site from its database", serveCommand},
		{"demo", "[flags]", "answer the API of a sample calendar; needs nothing installed", demoCommand},
		{"check", "[flags]", "test settings, database and addresses without serving", checkCommand},
		{"compare", "--target URL --recordings GLOB [flags]", "replay recordings against a server and tell the differences", compareCommand},
		{"record", "--url URL --out FILE [flags]", "record a running site for comparison", recordCommand},
		{"convert", "--recordings GLOB --to FORMAT --out FILE [flags]", "write recordings as HAR or JSON Lines", convertCommand},
		{"profile", "build --recordings GLOB --out FILE [flags]", "gather a site's wording from recordings", profileCommand},
		{"healthcheck", "[flags]", "ask a running server whether it is ready", healthcheckCommand},
		{"version", "", "print the version", versionCommand},
	}
}

// usageError is a mistake in how the program was called.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// exitError ends the program with a code of a command's own; what there is to say
// has been said.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// run is the whole program. It returns the exit code.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	p := &program{getenv: getenv, stdout: stdout, stderr: stderr}
	err := dispatch(ctx, p, args)
	var usage usageError
	var exit exitError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &exit):
		return int(exit)
	case errors.As(err, &usage):
		fmt.Fprintln(stderr, "calbridge:", usage.text)
		return exitUsage
	}
	fmt.Fprintln(stderr, "calbridge:", err)
	return exitFailed
}

func dispatch(ctx context.Context, p *program, args []string) error {
	if len(args) == 0 {
		writeHelp(p.stderr)
		return exitError(exitUsage)
	}
	name, rest := args[0], args[1:]
	if (name == "help" || name == "--help" || name == "-h") && len(rest) > 0 {
		name, rest = rest[0], []string{"--help"}
	}
	switch name {
	case "help", "--help", "-h":
		writeHelp(p.stdout)
		return nil
	case "--version", "-v":
		name = "version"
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(ctx, p, rest)
		}
	}
	if strings.HasPrefix(name, "-") {
		return usagef("flags come after the command: calbridge serve %s; run `calbridge help` for the commands", strings.Join(args, " "))
	}
	return usagef("there is no command %q; run `calbridge help` for those there are", name)
}

func writeHelp(w io.Writer) {
	fmt.Fprint(w, "calbridge answers the calendar REST API of a WordPress site from the site's own database.\n\nUsage: calbridge COMMAND [flags]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-12s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nRun `calbridge COMMAND --help` for the flags of a command; `calbridge demo` is the quickest way to see it at work.\n")
}
