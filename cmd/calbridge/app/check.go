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
	"calbridge/cmd/calbridge/sites"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/check"
)

// checking holds the flags of check that are not settings.
type checking struct {
	command    settings.Command
	json       bool
	html, site string
}

// checkCommand runs the checks of serve, compares the site with --upstream, and prints all
// findings.
func checkCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	var c checking
	c.command = settings.Command{Name: "check", Args: args, Flags: func(fs *flag.FlagSet) {
		fs.BoolVar(&c.json, "json", false, "print the findings and the site's facts as JSON")
		fs.StringVar(&c.html, "html", "", "write the comparison with --upstream as HTML to `FILE`")
		fs.StringVar(&c.site, "site", "", "print all findings about "+sites.SiteHelp)
	}}
	s, err := settings.Read(p, c.command)
	var usage cmdline.UsageError
	switch {
	case errors.Is(err, flag.ErrHelp), errors.As(err, &usage):
		return err
	case err != nil:
		report := check.Report{sitecheck.Failure("settings", err.Error(), "Correct this setting; `calbridge serve --help all` lists all settings.")}
		return c.print(p, report, nil, nil)
	case c.html != "" && s.Rollout.Upstream.URL == "" && s.Sites.File == "":
		return cmdline.Usagef("check: --html writes the comparison with --upstream: set --upstream too")
	case c.html != "" && s.Sites.Several() && c.site == "":
		return cmdline.Usagef("check: --html writes the comparison of one site: set --site too")
	case c.site != "" && !s.Sites.Several():
		return cmdline.Usagef("check: --site names one of several sites: set --network or --sites too")
	case s.Sites.Several() && c.site == "":
		return c.checkSites(ctx, p, s)
	}
	var report check.Report
	var facts *sitefacts.Document
	if c.site == "" {
		report, facts = site.Check(ctx, s)
	} else {
		common, found := c.sites(ctx, p, s, c.site)
		report = common
		if len(found) > 0 {
			report, facts, s = slices.Concat(common, found[0].Findings), found[0].Facts, found[0].Settings
		}
	}
	var compared *sitecompare.Result
	away := slices.ContainsFunc(report, func(f check.Finding) bool { return f.Name == "rollout.upstream" && f.Status == check.StatusFail })
	if s.Rollout.Upstream.URL != "" && facts != nil && !away {
		var finding check.Finding
		if finding, compared, err = compareUpstream(ctx, p, s, c.html); err != nil {
			return err
		}
		report = append(report, finding)
	}
	return c.print(p, report, facts, compared)
}

// print prints what was found about one site, and returns the exit code.
func (c *checking) print(p *cmdline.Process, report check.Report, facts *sitefacts.Document, compared *sitecompare.Result) error {
	var err error
	if c.json {
		err = sitecheck.WriteJSON(p.Stdout, report, facts)
	} else {
		sitecheck.WriteText(p.Stdout, report, p.PaintOn(p.Stdout))
		compared.WriteText(p.Stdout)
	}
	return errors.Join(err, cmdline.Exit(exitOfFindings(report)))
}
