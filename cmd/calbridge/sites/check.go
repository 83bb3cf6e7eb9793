package sites

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/check"
)

// Checked is a site with what a check has found.
type Checked struct {
	*Site
	Findings check.Report
	Facts    *sitefacts.Document // nil if they could not be read
}

// Verdict describes in a line whether the site can be served.
func (c *Checked) Verdict() string {
	warnings := 0
	for _, f := range c.Findings {
		switch f.Status {
		case check.StatusFail:
			return "can't be served: " + f.Found
		case check.StatusWarn:
			warnings++
		}
	}
	text := "ok"
	switch {
	case c.Closed != "":
		return "closed: " + c.Closed
	case c.LacksCalendar():
		text = "no calendar"
	}
	if warnings > 0 {
		text += ", " + sitecheck.Counted(warnings, "warning")
	}
	return text
}

// LacksCalendar reports whether the site has not activated the calendar.
func (c *Checked) LacksCalendar() bool {
	return slices.ContainsFunc(c.Findings, func(f check.Finding) bool { return f.Name == sitecheck.NoCalendar })
}

// Choose returns the site that Named finds among those of --sites or --network.
func (o *Opening) Choose(ctx context.Context, name string) (*Site, error) {
	if err := valid(o.Settings); err != nil {
		return nil, err
	}
	shared := newConnections(o.Logger, nil, false)
	source, err := o.source(ctx, shared, ReadNetwork)
	if err != nil {
		return nil, errors.Join(err, shared.close())
	}
	of, err := Named(source.All(), name)
	return of, errors.Join(err, source.Close(), shared.close())
}

// Check checks the sites that --sites or --network names, one after another, or only the one that Named finds. It
// returns the findings about all of them apart. Sites that are closed are not checked, unless they are
// named. progress is called after each site.
func (o *Opening) Check(ctx context.Context, name string, progress func(done, total int)) (common check.Report, checked []Checked) {
	s := o.Settings
	common = site.CheckProcess(ctx, s)
	if err := valid(s); err != nil {
		return append(common, sitecheck.Failure("settings.sites", err.Error(), "Correct these settings.")), nil
	}
	if s.Sites.Network {
		common = append(common, sitecheck.Network(s)...)
	}
	shared := newConnections(o.Logger, nil, false)
	defer shared.close()
	source, err := o.source(ctx, shared, ReadNetwork)
	if err != nil {
		failure := sitecheck.Failure("database.network", err.Error(), "")
		if of := (cmdline.SettingError{}); errors.As(err, &of) {
			failure.Name = "settings.sites"
		}
		return append(common, failure), nil
	}
	defer source.Close()
	all := source.All()
	if name != "" {
		of, err := Named(all, name)
		if err != nil {
			return append(common, sitecheck.Failure("settings.site", err.Error(), "`calbridge check` without --site lists all.")), nil
		}
		all = []*Site{of}
	}
	asked, dropIn := upstreams{}, false
	for i, of := range all {
		one := Checked{Site: of}
		if of.Closed == "" || name != "" {
			one.Findings, one.Facts = o.check(ctx, of, shared)
		}
		if s.Sites.Network && !dropIn { // all sites have the same
			found := sitecheck.DatabaseDropIn(one.Facts)
			common, dropIn = append(common, found...), len(found) > 0
		}
		common = append(common, asked.check(ctx, of)...)
		checked = append(checked, one)
		progress(i+1, len(all))
	}
	return common, checked
}

// check checks one site.
func (o *Opening) check(ctx context.Context, of *Site, shared *connections) (check.Report, *sitefacts.Document) {
	with, err := shared.of(ctx, of.Settings)
	if err != nil {
		return check.Report{sitecheck.Failure("database.connection", err.Error(), "")}, nil
	}
	return site.CheckShared(ctx, of.Settings, with)
}

// upstreams holds the addresses of WordPress that were asked, since many sites may share one.
type upstreams map[string]bool

// check checks whether the WordPress of a site answers, unless it was asked before.
func (u upstreams) check(ctx context.Context, of *Site) check.Report {
	s := of.Settings
	key := fmt.Sprintf("%q %q %q", s.Rollout.Upstream.URL, s.Rollout.Upstream.Host, s.API.Namespace)
	if u[key] {
		return nil
	}
	u[key] = true
	return sitecheck.Upstream(ctx, s.Rollout.Upstream, s.API.Namespace)
}
