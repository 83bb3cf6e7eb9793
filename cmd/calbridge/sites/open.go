package sites

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/metrics"
	"calbridge/wpstore/sitedb"
)

// Opening describes the sites to open.
type Opening struct {
	Settings *settings.Settings // of the process
	// List reads the sites of the file that --sites names.
	List    func(*settings.Settings) ([]settings.NamedSite, error)
	Metrics *metrics.Metrics // may be nil for Check
	Logger  *slog.Logger
}

// Open serves the sites that --sites or --network names.
func Open(ctx context.Context, o Opening) (*Set, error) {
	if err := valid(o.Settings); err != nil {
		return nil, err
	}
	if o.Settings.Sites.Network {
		if err := sitecheck.Require(o.Logger, sitecheck.Network(o.Settings)); err != nil {
			return nil, err
		}
	}
	shared := newConnections(o.Logger, o.Metrics, true)
	source, err := o.source(ctx, shared, OpenNetwork)
	if err != nil {
		return nil, errors.Join(err, shared.close())
	}
	elsewhere, err := site.OpenElsewhere(o.Settings, o.Logger, o.Metrics)
	if err != nil {
		return nil, errors.Join(err, source.Close(), shared.close())
	}
	if o.Settings.Sites.Network {
		all, closed := source.All(), 0
		for _, of := range all {
			if of.Closed != "" {
				closed++
			}
		}
		o.Logger.Info("a network of sites", "sites", len(all), "closed", closed, "main", all[0].Address)
	}
	return start(Config{Source: source, Elsewhere: elsewhere, Measured: o.Settings.Sites.Metrics, Metrics: o.Metrics, Logger: o.Logger, Now: time.Now}, shared, o.Settings.Sites.Loaded), nil
}

// valid returns an error if the settings can't hold for several sites.
func valid(s *settings.Settings) error {
	switch {
	case s.Sites.Network && s.Sites.File != "":
		return cmdline.SettingError{Err: errors.New("--network and --sites exclude each other")}
	case s.Sites.Network && s.Origin.ByOwner("blog-id"):
		return cmdline.SettingError{Err: fmt.Errorf("%s and --network exclude each other: --network serves all sites of the network, and --blog-id without it serves one of them", s.Origin.Of("blog-id"))}
	}
	if err := site.CheckWebhooks(s); err != nil {
		return cmdline.SettingError{Err: err}
	}
	return nil
}

// source returns the Source that the settings name. network opens the one of a network.
func (o *Opening) source(ctx context.Context, shared *connections, network func(context.Context, *settings.Settings, *sitedb.DB, *slog.Logger) (*Network, error)) (Source, error) {
	s := o.Settings
	if !s.Sites.Network {
		return NewListed(s, o.List)
	}
	cfg := site.StoreConfig(s, o.Logger, o.Metrics)
	cfg.Tables.BlogID = s.Site.MainBlogID
	with, err := shared.of(ctx, s)
	if err != nil {
		return nil, err
	}
	cfg.Servers, cfg.Hub = with.Servers, with.Hub
	store, err := sitedb.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	source, err := network(ctx, s, store, o.Logger)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return source, nil
}
