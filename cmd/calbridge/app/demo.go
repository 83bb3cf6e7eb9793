package app

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"strings"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/daemon"
	"calbridge/cmd/calbridge/demo"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/logging"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/metrics"
	"calbridge/rest/wptext"
	"calbridge/wpstore/dbaddr"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlite"
)

// demoCommand serves a sample calendar from an embedded database.
func demoCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	if len(args) > 0 && args[0] == "load" {
		return demoLoadCommand(ctx, p, args[1:])
	}
	var keep string
	has := settings.Any(settings.Of(settings.GroupListening, settings.GroupInterface, settings.GroupCache, settings.GroupLog), settings.Named("config"))
	// The page links to the feeds and to the API's page.
	defaults := map[string]string{"extensions": "true"}
	s, err := settings.Read(p, settings.Command{Name: "demo", Args: args, Has: has, Defaults: defaults, Actions: actionsHelp("demo"), Flags: func(fs *flag.FlagSet) {
		fs.StringVar(&keep, "keep", "", "store the calendar in this `FILE` (SQLite) and use it again next time; `calbridge serve --dsn sqlite:FILE` serves it too")
	}})
	if err != nil {
		return err
	}
	if s.StateDir != "" {
		return cmdline.Usagef("demo: %s has no effect, because only the calendar can survive a restart of the demo: omit it, or keep the calendar with --keep FILE", s.Origin.Of("state-dir"))
	}
	l, err := daemon.Listen(s.Listen)
	if err != nil {
		return err
	}
	defer l.Close()
	setUpDemo(s, keep, httpserver.DialAddress(l.API.Addr().String()))
	logger, flush := logging.New(p.Stderr, s.Log)
	defer flush()
	if err := sitecheck.Require(logger, append(sitecheck.Environment(s), sitecheck.Former(s)...)); err != nil {
		return err
	}
	m := site.NewMetrics()
	served, password, err := openDemo(ctx, s, keep, logger, m)
	if err != nil {
		return err
	}
	path, console := "/"+s.API.RESTPrefix+"/"+s.API.Namespace, ""
	if l.Ops != nil {
		console = "http://" + httpserver.DialAddress(l.Ops.Addr().String()) + "/console/"
	}
	front := demo.NewFront(demo.FrontConfig{
		User: demo.User, Password: password, Path: path, Addr: l.API.Addr(),
		Extended: s.Extends(), Console: console, Now: s.Now,
	})
	m.Requests.Watch(front.Observe)
	text := demo.Text{Home: s.Site.Home, Path: path, Password: password, Console: console, Keep: keep}
	d := daemon.New(site.NewLive(served, logger, m), daemon.Config{
		Settings: s, Metrics: m, Logger: logger, NotifySocket: p.Getenv("NOTIFY_SOCKET"),
		Front: front.Handler, Serving: func() { text.Write(p.Stdout) },
	})
	defer d.Close()
	return d.Run(ctx, l)
}

// setUpDemo fills in the settings that the demo's command line leaves out. keep is the file of
// the database, or empty for none; addr is the address for clients.
func setUpDemo(s *settings.Settings, keep, addr string) {
	s.Database.Address, s.Database.TablePrefix, s.Database.BlogID = dbaddr.Address{SQLite: cmp.Or(keep, sqlite.Memory)}, "wp_", 1
	// WordPress accepts application passwords over plain HTTP only in a local environment.
	s.Login.ApplicationPasswords, s.Site.Environment, s.Login.RecordUse = "auto", "local", true
	s.Site.Home = "http://" + addr
	if s.Listen.TLSCert != "" {
		s.Site.Home = "https" + strings.TrimPrefix(s.Site.Home, "http")
	}
	s.Site.SiteURL = s.Site.Home
}

// openDemo opens the site with the sample calendar.
func openDemo(ctx context.Context, s *settings.Settings, keep string, logger *slog.Logger, m *metrics.Metrics) (served *site.Site, password string, err error) {
	profile, err := site.LoadProfile(s)
	if err != nil {
		return nil, "", err
	}
	cfg := site.StoreConfig(s, logger, m)
	cfg.CreateFile, cfg.Tracker = true, s.Cache.NewTracker()
	store, err := sitedb.Open(ctx, cfg)
	if of := (*sqlconn.SettingError)(nil); keep != "" && errors.As(err, &of) {
		return nil, "", fmt.Errorf("--keep: %w", of.Err)
	}
	if err != nil {
		return nil, "", err
	}
	password, err = demo.Prepare(ctx, store, s.Now(), s.Site.Home)
	if err != nil {
		return nil, "", fmt.Errorf("demo: %w", errors.Join(err, store.Close()))
	}
	caching := s.Cache
	if keep != "" {
		caching.Mode = settings.CacheOff
	} else if caching.Mode != settings.CacheOff {
		caching.Mode = settings.CacheOwn // no other process can reach the database
	}
	parts := site.Parts{Store: store, Cache: cachesync.Start(cachesync.Config{Settings: caching}, store, cfg.Tracker, m.Caches, logger), Theme: wptext.TwentyTwentyFive(), Home: s.Site.Home, Profile: profile}
	served, err = site.Assemble(s, parts, logger, m)
	if err != nil {
		return nil, "", fmt.Errorf("demo: %w", errors.Join(err, store.Close()))
	}
	return served, password, nil
}
