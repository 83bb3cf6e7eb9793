package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/daemon"
	"calbridge/cmd/calbridge/logging"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sites"
	"calbridge/rest/metrics"
)

// serveCommand serves the API of a site, or of several, until a signal stops it.
func serveCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	command := settings.Command{Name: "serve", Args: args}
	reread := func() (*settings.Settings, error) { return settings.Read(p, command) }
	s, err := reread()
	if err != nil {
		return err
	}
	loading := newCounter(p, "event index")
	logger, flush := logging.New(loading.above(p.Stderr), s.Log)
	defer flush()
	if !s.Clock.IsZero() {
		logger.Warn("THE CLOCK IS STOPPED: every response is as of this time; use --clock only to replay recordings", "clock", s.Clock.Format(time.RFC3339))
	}
	m := site.NewMetrics()
	if s.Sites.Several() && s.Sites.Metrics > 0 {
		m = site.NewMetricsOfSites()
	}
	served, err := openServed(ctx, p, command, s, logger, m)
	if err != nil {
		return err
	}
	d := daemon.New(served, daemon.Config{Settings: s, Metrics: m, Logger: logger, NotifySocket: p.Getenv("NOTIFY_SOCKET"), Reread: reread})
	defer d.Close()
	l, err := daemon.Listen(s.Listen)
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	var shown sync.WaitGroup
	shown.Go(func() { showLoading(watching, loading, d.Indexing) })
	defer shown.Wait()
	defer stop()
	return d.Run(ctx, l)
}

// openServed opens what the settings name: one site, those of a file, or those of a network.
func openServed(ctx context.Context, p *cmdline.Process, c settings.Command, s *settings.Settings, logger *slog.Logger, m *metrics.Metrics) (daemon.Served, error) {
	if !s.Sites.Several() {
		served, err := site.Open(ctx, s, logger, m)
		if err != nil {
			return nil, err
		}
		return site.NewLive(served, logger, m), nil
	}
	return sites.Open(ctx, sites.Opening{
		Settings: s, List: listSites(p, c), Metrics: m, Logger: logger,
	})
}

// A progress bar appears when a load of the index takes longer than barAfter, and is updated each
// barEvery.
const barAfter, barEvery = 2 * time.Second, 200 * time.Millisecond

// showLoading shows how much of the event index has been read, on a terminal.
func showLoading(ctx context.Context, b *bar, indexing func() (read, total int64)) {
	if b.shown == nil {
		return
	}
	ticker := time.NewTicker(barEvery)
	defer ticker.Stop()
	for began, seen := time.Now(), false; ; {
		read, total := indexing()
		switch {
		case total > 0 && time.Since(began) >= barAfter:
			b.set(read, total)
			seen = true
		case total == 0 && seen:
			b.finish()
			return
		case total == 0:
			began = time.Now()
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			b.finish()
			return
		}
	}
}
