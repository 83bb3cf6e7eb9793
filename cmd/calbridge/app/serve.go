package app

import (
	"context"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/daemon"
	"calbridge/cmd/calbridge/logging"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/rest/metrics"
)

// serveCommand serves the API of a site until a signal stops it.
func serveCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	reread := func() (*settings.Settings, error) {
		return settings.Read(p, settings.Command{Name: "serve", Args: args})
	}
	s, err := reread()
	if err != nil {
		return err
	}
	logger, flush := logging.New(p.Stderr, s.Log)
	defer flush()
	if !s.Clock.IsZero() {
		logger.Warn("THE CLOCK IS STOPPED: every answer is as of this time; use --clock only to replay recordings", "clock", s.Clock.Format(time.RFC3339))
	}
	m := metrics.New(metrics.Build(buildinfo.This()))
	served, err := site.Open(ctx, s, logger, m)
	if err != nil {
		return err
	}
	d := daemon.New(served, daemon.Config{Settings: s, Metrics: m, Logger: logger, NotifySocket: p.Getenv("NOTIFY_SOCKET"), Reread: reread})
	defer d.Close()
	l, err := daemon.Listen(s.Listen)
	if err != nil {
		return err
	}
	return d.Run(ctx, l)
}
