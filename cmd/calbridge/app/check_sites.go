package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/cmd/calbridge/sites"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/check"
)

// checkSites checks several sites, and prints one line for each.
func (c *checking) checkSites(ctx context.Context, p *cmdline.Process, s *settings.Settings) error {
	common, all := c.sites(ctx, p, s, "")
	worst := slices.Clone(common)
	for _, one := range all {
		worst = append(worst, one.Findings...)
	}
	if c.json {
		return errors.Join(writeSitesJSON(p.Stdout, worst.Worst(), common, all), cmdline.Exit(exitOfFindings(worst)))
	}
	writeSites(p.Stdout, common, all, p.PaintOn(p.Stdout))
	return cmdline.Exit(exitOfFindings(worst))
}

// sites checks several sites, or only the one with a name.
func (c *checking) sites(ctx context.Context, p *cmdline.Process, s *settings.Settings, name string) (common check.Report, all []sites.Checked) {
	bar := newCounter(p, "checking sites")
	defer bar.finish()
	o := sites.Opening{Settings: s, List: listSites(p, c.command), Logger: slog.New(slog.DiscardHandler)}
	return o.Check(ctx, name, func(done, total int) { bar.set(int64(done), int64(total)) })
}

// listSites returns the function that reads the sites of the file that --sites names.
func listSites(p *cmdline.Process, c settings.Command) func(*settings.Settings) ([]settings.NamedSite, error) {
	return func(s *settings.Settings) ([]settings.NamedSite, error) {
		return settings.ReadSites(p, c, s.Sites.File)
	}
}

// writeSites prints the findings about all sites, one line per site, and their numbers.
func writeSites(w io.Writer, common check.Report, all []sites.Checked, paint cmdline.Paint) {
	sitecheck.WriteLines(w, common, paint)
	name, address := 0, 0
	for _, one := range all {
		name, address = max(name, len(one.Name)), max(address, len(one.Address))
	}
	var failed, closed, lacking int
	for _, one := range all {
		status := one.Findings.Worst()
		switch {
		case status == check.StatusFail:
			failed++
		case one.Closed != "":
			closed++
		case one.LacksCalendar():
			lacking++
		}
		verdict, _, _ := strings.Cut(one.Verdict(), "\n")
		fmt.Fprintf(w, "%s  %-*s  %-*s  %s\n", sitecheck.Mark(status, paint), name, one.Name, address, one.Address, verdict)
	}
	if len(all) == 0 {
		fmt.Fprintf(w, "\n%s\n", paint(cmdline.Red, "no site was checked"))
		return
	}
	fmt.Fprintf(w, "\n%s: %d with a calendar, %d without, %d closed, %d can't be served; `calbridge check --site %s` with the same settings shows the details of one\n",
		sitecheck.Counted(len(all), "site"), len(all)-failed-closed-lacking, lacking, closed, failed, all[0].Name)
}

// writeSitesJSON prints the same as JSON, with all findings.
func writeSitesJSON(w io.Writer, worst check.Status, common check.Report, all []sites.Checked) error {
	type row struct {
		Name     string              `json:"name"`
		Address  string              `json:"address"`
		Status   check.Status        `json:"status"`
		Verdict  string              `json:"verdict"`
		Closed   string              `json:"closed,omitempty"`
		Calendar *bool               `json:"calendar,omitempty"` // absent where it was not looked at
		Findings check.Report        `json:"findings"`
		Facts    *sitefacts.Document `json:"facts,omitempty"`
	}
	rows := []row{}
	for _, one := range all {
		var calendar *bool
		if one.Facts != nil {
			has := !one.LacksCalendar()
			calendar = &has
		}
		rows = append(rows, row{one.Name, one.Address, one.Findings.Worst(), one.Verdict(), one.Closed, calendar, append(check.Report{}, one.Findings...), one.Facts})
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Status   check.Status `json:"status"`
		Findings check.Report `json:"findings"`
		Sites    []row        `json:"sites"`
	}{worst, append(check.Report{}, common...), rows})
}
