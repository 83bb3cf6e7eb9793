package app

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/mirror"
)

// mirrorCommand keeps a copy of a remote calendar up to date until a signal arrives.
func mirrorCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	o := mirror.Options{Client: mirror.NewClient(), Agent: buildinfo.This().Agent("calbridge-mirror"), Now: time.Now, Jitter: rand.Float64}
	fs := cmdline.NewFlags("mirror")
	address := fs.String("url", "", "`URL` of the API or of one of its languages, such as https://town.example/wp-json/calendar/events/v1, with or without filters (required)")
	fs.StringVar(&o.Out, "out", "", "SQLite `FILE` for the copy; an existing copy is continued (required)")
	fs.StringVar(&o.Lines, "jsonl", "", "also write the events to `FILE`, one per line; each change replaces the whole file, at most once a second")
	var filters []string
	fs.Var((*cmdline.List)(&filters), "filter", "copy only some events: `NAME=VALUE` is a parameter of the event list, such as categories=concerts; may be repeated")
	fs.BoolVar(&o.Once, "once", false, "fetch changes once and exit")
	fs.DurationVar(&o.Interval, "interval", time.Minute, "polling interval, `TIME`, when the server offers no stream or --user is given")
	user := fs.String("user", "", "`LOGIN` of a user who can see more than anonymous visitors")
	passwordFile := fs.String("password-file", "", "`FILE` with the user's application password")
	after := "The copy contains what the event list contains: by default the next 24 months. " + cmdline.CodesOf(cmdline.OK, cmdline.Failed, cmdline.Usage, cmdline.Unreachable)
	if err := cmdline.ParseFlags(p, fs, args, "calbridge mirror --url URL --out FILE [flags]", after); err != nil {
		return err
	}
	switch {
	case *address == "" || o.Out == "":
		return cmdline.Usagef("mirror: --url and --out are required; run `calbridge mirror --help`")
	case (*user == "") != (*passwordFile == ""):
		return cmdline.Usagef("mirror: --user and --password-file belong together: give both or none")
	case o.Interval < time.Second:
		return cmdline.Usagef("mirror: --interval must be at least 1s")
	case o.Lines != "" && filepath.Clean(o.Lines) == filepath.Clean(o.Out):
		return cmdline.Usagef("mirror: --jsonl and --out are the same file: use two files")
	}
	password := ""
	if *passwordFile != "" {
		text, err := os.ReadFile(*passwordFile)
		if err != nil {
			return cmdline.Usagef("mirror: --password-file: %v", err)
		}
		if password = strings.TrimSpace(string(text)); password == "" {
			return cmdline.Usagef("mirror: --password-file %s is empty: write the application password into it", *passwordFile)
		}
	}
	var err error
	if o.Source, err = mirror.ParseSource(*address, filters, *user, password); err != nil {
		return cmdline.Usagef("mirror: %v", err)
	}
	bar := newSpinner(p, "fetching events")
	defer bar.finish()
	o.Logger = slog.New(slog.NewTextHandler(bar.above(p.Stderr), nil))
	first := true // only the first fetch of the list shows a bar
	o.Progress = func(events int) {
		switch {
		case events < 0:
			bar.finish()
			first = false
		case first:
			bar.set(int64(events), -1)
		}
	}
	if err := mirror.Run(ctx, o); err != nil {
		return fmt.Errorf("mirror: %w", err)
	}
	return nil
}
