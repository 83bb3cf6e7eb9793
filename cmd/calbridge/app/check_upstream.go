package app

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/cmd/calbridge/sitecompare"
	"calbridge/compat/report"
	"calbridge/wpstore/check"
)

// compareUpstream compares the site with WordPress behind --upstream and writes the HTML
// report, if a file for it is named. The Result is nil where the site could not be opened.
func compareUpstream(ctx context.Context, p *cmdline.Process, s *settings.Settings, html string) (check.Finding, *sitecompare.Result, error) {
	progress, finish := progressBar(p.Stderr, "comparing")
	result, err := site.Compare(ctx, s, progress)
	finish()
	if err != nil {
		return sitecheck.Warning("site.compared", err.Error(), "Correct this, and check again: nothing was compared."), nil, nil
	}
	if html != "" {
		if err := (report.Files{HTML: html}).Write(result.Report()); err != nil {
			return check.Finding{}, nil, fmt.Errorf("--html: %w", err)
		}
	}
	return result.Finding(), result, nil
}

// progressBar returns a function that shows progress, and one that removes it. Both do
// nothing where w is no terminal.
func progressBar(w io.Writer, what string) (set func(done, total int), finish func()) {
	if f, ok := w.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return func(int, int) {}, func() {}
	}
	bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(w), progressbar.OptionShowCount(),
		progressbar.OptionSetDescription(what), progressbar.OptionClearOnFinish())
	set = func(done, total int) {
		bar.ChangeMax(max(total, 1))
		_ = bar.Set(done) // an error is no reason to stop
	}
	return set, func() { _ = bar.Finish() }
}
