package app

import (
	"context"
	"errors"
	"flag"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/check"
)

// checkCommand makes the checks of serve and prints all findings.
func checkCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	var asJSON bool
	s, err := settings.Read(p, settings.Command{Name: "check", Args: args, Flags: func(fs *flag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "print the findings and the site's facts as JSON; exit codes: 0 the site can be served, 1 it cannot, 2 wrong flags")
	}})
	var usage cmdline.UsageError
	if errors.Is(err, flag.ErrHelp) || errors.As(err, &usage) {
		return err
	}
	var report check.Report
	var facts *sitefacts.Document
	if err != nil {
		report = check.Report{sitecheck.Failure("settings", err.Error(), "Correct this setting; `calbridge serve --help` lists all.")}
	} else {
		report, facts = site.Check(ctx, s)
	}
	if asJSON {
		err = sitecheck.WriteJSON(p.Stdout, report, facts)
	} else {
		sitecheck.WriteText(p.Stdout, report)
	}
	if err == nil && report.Worst() == check.StatusFail {
		err = cmdline.ExitError(cmdline.Failed)
	}
	return err
}
