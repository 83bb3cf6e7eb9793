package app

import (
	"context"
	"errors"
	"flag"
	"slices"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/cmd/calbridge/sitecompare"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/check"
)

// checkCommand runs the checks of serve, compares the site with --upstream, and prints all
// findings.
func checkCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	var asJSON bool
	var html string
	s, err := settings.Read(p, settings.Command{Name: "check", Args: args, Flags: func(fs *flag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "print the findings and the site's facts as JSON")
		fs.StringVar(&html, "html", "", "write the comparison with --upstream as HTML to `FILE`")
	}})
	var usage cmdline.UsageError
	if errors.Is(err, flag.ErrHelp) || errors.As(err, &usage) {
		return err
	}
	if html != "" && err == nil && s.Rollout.Upstream.URL == "" {
		return cmdline.Usagef("check: --html writes the comparison with --upstream: set --upstream too")
	}
	var report check.Report
	var facts *sitefacts.Document
	var compared *sitecompare.Result
	if err != nil {
		report = check.Report{sitecheck.Failure("settings", err.Error(), "Correct this setting; `calbridge serve --help all` lists all settings.")}
	} else {
		report, facts = site.Check(ctx, s)
		away := slices.ContainsFunc(report, func(f check.Finding) bool { return f.Name == "rollout.upstream" && f.Status == check.StatusFail })
		if s.Rollout.Upstream.URL != "" && facts != nil && !away {
			var finding check.Finding
			if finding, compared, err = compareUpstream(ctx, p, s, html); err != nil {
				return err
			}
			report = append(report, finding)
		}
	}
	if asJSON {
		err = sitecheck.WriteJSON(p.Stdout, report, facts)
	} else {
		sitecheck.WriteText(p.Stdout, report, p.PaintOn(p.Stdout))
		compared.WriteText(p.Stdout)
	}
	return errors.Join(err, cmdline.Exit(exitOfFindings(report)))
}
