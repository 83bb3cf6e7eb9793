package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // container images often lack the time zone database

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/compat/replay"
	"calbridge/wpstore/check"
)

// Main runs the program with the arguments of the process and returns the exit code.
func Main() int {
	runtime.MemProfileRate = 0 // sampling allocations costs three percent; --pprof enables it
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	return run(ctx, &cmdline.Process{Getenv: os.Getenv, Environ: os.Environ, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}, os.Args[1:])
}

// command is one of the program's subcommands.
type command struct {
	name    string
	summary string
	run     func(ctx context.Context, p *cmdline.Process, args []string) error
	actions []action
}

// action is a second word that a command takes.
type action struct{ name, summary string }

// commands lists the subcommands in the order of the help.
func commands() []command {
	return []command{
		{name: "serve", summary: "serve the API of a site from its database", run: serveCommand},
		{name: "demo", summary: "serve a sample calendar; needs nothing installed", run: demoCommand,
			actions: []action{{"load", "put the sample calendar into an empty database"}}},
		{name: "trial", summary: "record a site, serve it privately, compare both, and say whether it can be served", run: trialCommand},
		{name: "check", summary: "check settings, database and addresses without serving", run: checkCommand},
		{name: "compare", summary: "replay recordings against a server and list the differences", run: compareCommand},
		{name: "record", summary: "record a running site for comparison", run: recordCommand},
		{name: "convert", summary: "write recordings as HAR or JSON Lines", run: convertCommand},
		{name: "profile", summary: "collect a site's wording from recordings", run: profileCommand,
			actions: []action{{"build", "collect a site's wording from recordings"}}},
		{name: "healthcheck", summary: "check whether a running server is ready", run: healthcheckCommand},
		{name: "doctor", summary: "check whether a running server serves as it should", run: doctorCommand},
		{name: "top", summary: "show live what a running server is doing", run: topCommand},
		{name: "proof", summary: "show what mode auto answers natively, and what WordPress answers and why", run: proofCommand,
			actions: []action{{"warm", "send a server in mode auto the requests of a site's clients, so that they are proven sooner"}}},
		{name: "webhooks", summary: "show, try and repeat the webhooks that tell other systems of changes", run: webhooksCommand,
			actions: []action{{"list", "show what a running server has delivered and what waits"}, {"test", "send a test message to a target"}, {"replay", "send all events of a target's list again, and enable the target"}}},
		{name: "mirror", summary: "keep a local copy of a remote calendar", run: mirrorCommand},
		{name: "completion", summary: "print a script that completes commands and flags in a shell", run: completionCommand},
		{name: "man", summary: "print the man page", run: manCommand},
		{name: "version", summary: "print the version", run: versionCommand},
	}
}

// actionsHelp returns the lines of a command's help that name its actions, or "".
func actionsHelp(name string) string {
	var text strings.Builder
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		for _, a := range c.actions {
			fmt.Fprintf(&text, "`calbridge %s %s` (--help shows its flags):\n%s.\n\n", name, a.name, a.summary)
		}
	}
	return text.String()
}

// Run runs the program and returns the exit code. It escapes control characters in the output;
// see [cmdline.Output].
func Run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	return run(ctx, &cmdline.Process{Getenv: getenv, Stdout: stdout, Stderr: stderr}, args)
}

// run runs the program with the environment and the outputs of p.
func run(ctx context.Context, p *cmdline.Process, args []string) int {
	out, messages := cmdline.NewOutput(p.Stdout), cmdline.NewOutput(p.Stderr)
	defer messages.Close()
	defer out.Close()
	p.Stdout, p.Stderr = out, messages
	err := dispatch(ctx, p, args)
	var exit cmdline.ExitError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return cmdline.OK
	case errors.As(err, &exit):
		return int(exit)
	}
	fmt.Fprintln(messages, "calbridge:", err)
	return exitCode(err)
}

// exitCode returns the exit code of a command that ended with an error.
func exitCode(err error) int {
	var usage cmdline.UsageError
	var setting cmdline.SettingError
	var unreachable *replay.UnreachableError
	var request *url.Error
	switch {
	case errors.As(err, &usage), errors.As(err, &setting):
		return cmdline.Usage
	case errors.Is(err, context.Canceled): // by a signal
		return cmdline.Failed
	case errors.As(err, &unreachable), errors.As(err, &request) && request.Op != "parse":
		return cmdline.Unreachable
	}
	return cmdline.Failed
}

// exitOfFindings returns the exit code of a command that has printed the findings of a site.
func exitOfFindings(report check.Report) int {
	switch failed := func(f check.Finding) bool { return f.Status == check.StatusFail }; {
	case slices.ContainsFunc(report, func(f check.Finding) bool { return failed(f) && sitecheck.OfSettings(f) }):
		return cmdline.Usage
	case slices.ContainsFunc(report, failed):
		return cmdline.Failed
	}
	return cmdline.OK
}

func dispatch(ctx context.Context, p *cmdline.Process, args []string) error {
	if len(args) == 0 {
		writeHelp(p.Stderr)
		return cmdline.ExitError(cmdline.Usage)
	}
	name, rest := args[0], args[1:]
	if (name == "help" || name == "--help" || name == "-h") && len(rest) > 0 { // help serve all
		name, rest = rest[0], append([]string{"--help"}, rest[1:]...)
	}
	switch name {
	case "help", "--help", "-h":
		writeHelp(p.Stdout)
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
		return cmdline.Usagef("flags come after the command: calbridge serve %s; run `calbridge help` for the commands", strings.Join(args, " "))
	}
	return cmdline.Usagef("there is no command %q; run `calbridge help` for the commands", name)
}

// purpose completes a sentence that begins with the program's name.
const purpose = "serves the calendar REST API of a WordPress site from the site's own database"

func writeHelp(w io.Writer) {
	fmt.Fprintf(w, "calbridge %s.\n\nUsage: calbridge COMMAND [flags]\n\n", purpose)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-12s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nExit codes:\n\n")
	cmdline.WriteExitCodes(w)
	fmt.Fprint(w, "\nRun `calbridge COMMAND --help` for the flags of a command; `calbridge demo` is the quickest way to see it run.\n")
}

// versionCommand prints the version.
func versionCommand(_ context.Context, p *cmdline.Process, args []string) error {
	if err := cmdline.ParseFlags(p, cmdline.NewFlags("version"), args, "calbridge version", ""); err != nil {
		return err
	}
	fmt.Fprintln(p.Stdout, buildinfo.This())
	return nil
}
