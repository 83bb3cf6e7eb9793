package app

import (
	"context"
	"fmt"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/cmd/calbridge/sitecompare"
	"calbridge/compat/report"
	"calbridge/wpstore/check"
)

// compareUpstream compares the site with WordPress behind --upstream. It writes the HTML
// report if a file for it is given. It returns a nil Result if the site could not be opened.
func compareUpstream(ctx context.Context, p *cmdline.Process, s *settings.Settings, html string) (check.Finding, *sitecompare.Result, error) {
	bar := newCounter(p, "comparing")
	result, err := site.Compare(ctx, s, func(done, total int) { bar.set(int64(done), int64(total)) })
	bar.finish()
	if err != nil {
		return sitecheck.Warning("site.compared", err.Error(), "Correct this and check again; nothing was compared."), nil, nil
	}
	if html != "" {
		if err := (report.Files{HTML: html}).Write(result.Report()); err != nil {
			return check.Finding{}, nil, fmt.Errorf("--html: %w", err)
		}
	}
	return result.Finding(), result, nil
}
