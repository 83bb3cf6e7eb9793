package app

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/webhook"
)

// webhooksCommand shows, tries and repeats webhooks.
func webhooksCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "list":
			return webhooksListCommand(ctx, p, args[1:])
		case "test":
			return webhooksTestCommand(ctx, p, args[1:])
		case "replay":
			return webhooksReplayCommand(ctx, p, args[1:])
		}
	}
	if err := cmdline.ParseFlags(p, cmdline.NewFlags("webhooks"), args, "calbridge webhooks list|test|replay [flags]", "`calbridge webhooks list --help` shows the flags of an action; docker/webhooks.md describes them."); err != nil {
		return err
	}
	return cmdline.Usagef("webhooks: pass list, test or replay")
}

// webhooksListCommand shows the deliveries of a running server.
func webhooksListCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	var asJSON bool
	s, err := opsSettings(p, "webhooks list", args, func(fs *flag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "print JSON") })
	if err != nil {
		return err
	}
	text, err := readOps(ctx, http.MethodGet, opsURL(s, "/webhooks"))
	if err != nil {
		return fmt.Errorf("webhooks list: %w; is calbridge running, with --ops-listen %s?", err, s.Listen.Ops)
	}
	if asJSON {
		_, err := p.Stdout.Write(text)
		return err
	}
	var all []webhook.Status
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("webhooks list: use a calbridge of the same release as the server: %w", err)
	}
	for _, one := range all {
		fmt.Fprintf(p.Stdout, "%-20s %s\n%20s delivered %d%s, pending %d", one.Name, one.URL, "", one.Delivered, since(", last ", one.Last), one.Pending)
		fmt.Fprintf(p.Stdout, "%s\n", since(", oldest ", one.Oldest))
		switch {
		case !one.Disabled.IsZero():
			fmt.Fprintf(p.Stdout, "%20s disabled%s: %s; enable it with `calbridge webhooks replay --target %s`\n", "", since(" ", one.Disabled), one.Error, one.Name)
		case one.Reading:
			fmt.Fprintf(p.Stdout, "%20s reading the list\n", "")
		case one.Error != "":
			fmt.Fprintf(p.Stdout, "%20s %d attempts failed: %s; again at %s\n", "", one.Attempts, one.Error, one.Due.Format(time.DateTime))
		}
	}
	return nil
}

// since returns a time after some words, "" for none.
func since(words string, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return words + at.Format(time.DateTime)
}

// webhooksTestCommand sends a test message to a target.
func webhooksTestCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	var name string
	s, err := settings.Read(p, settings.Command{Name: "webhooks test", Args: args, Has: settings.Named("webhooks", "namespace", "config"), Flags: func(fs *flag.FlagSet) {
		fs.StringVar(&name, "target", "", "`NAME` of the target in the file of --webhooks (required)")
	}})
	switch {
	case err != nil:
		return err
	case s.API.Webhooks == "" || name == "":
		return cmdline.Usagef("webhooks test: --webhooks and --target are required")
	}
	targets, err := webhook.Load(s.API.Webhooks)
	if err != nil {
		return fmt.Errorf("webhooks test: %w", err)
	}
	i := slices.IndexFunc(targets, func(t webhook.Target) bool { return t.Name == name })
	if i < 0 {
		return cmdline.Usagef("webhooks test: %s has no target %q", s.API.Webhooks, name)
	}
	if err := webhook.Test(ctx, &targets[i], buildinfo.This().Agent("calbridge-webhooks"), "https://calbridge.invalid/"+s.API.Namespace, time.Now()); err != nil {
		return fmt.Errorf("webhooks test: %s did not accept it: %w", targets[i].URL, err)
	}
	fmt.Fprintf(p.Stdout, "%s has accepted a message of the type webhook.test\n", targets[i].URL)
	return nil
}

// webhooksReplayCommand makes a running server send all events of a target's list again.
func webhooksReplayCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	var name string
	s, err := opsSettings(p, "webhooks replay", args, func(fs *flag.FlagSet) { fs.StringVar(&name, "target", "", "`NAME` of the target (required)") })
	if err != nil {
		return err
	}
	if name == "" {
		return cmdline.Usagef("webhooks replay: --target is required")
	}
	if _, err := readOps(ctx, http.MethodPost, opsURL(s, "/webhooks/replay?target="+url.QueryEscape(name))); err != nil {
		return fmt.Errorf("webhooks replay: %w", err)
	}
	fmt.Fprintf(p.Stdout, "%s is enabled, and gets all events of its list\n", name)
	return nil
}
