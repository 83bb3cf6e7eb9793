package sites

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/rest/metrics"
	"calbridge/wpstore/sitedb"
)

// Opening describes the sites to open.
type Opening struct {
	Settings *settings.Settings // of the process
	// List reads the sites of the file that --sites names.
	List    func(*settings.Settings) ([]settings.NamedSite, error)
	Metrics *metrics.Metrics
	Logger  *slog.Logger
}

// Open serves the sites that --sites or --network names.
func Open(ctx context.Context, o Opening) (*Set, error) {
	shared := newConnections(o.Logger, o.Metrics)
	source, err := o.source(ctx, shared)
	if err != nil {
		return nil, errors.Join(err, shared.close())
	}
	elsewhere, err := site.OpenElsewhere(o.Settings, o.Logger, o.Metrics)
	if err != nil {
		return nil, errors.Join(err, source.Close(), shared.close())
	}
	return start(Config{Source: source, Elsewhere: elsewhere, Measured: o.Settings.Sites.Metrics, Loaded: o.Settings.Sites.Loaded, Metrics: o.Metrics, Logger: o.Logger, Now: time.Now}, shared), nil
}

// source returns the Source that the settings name.
func (o *Opening) source(ctx context.Context, shared *connections) (Source, error) {
	s := o.Settings
	switch {
	case s.Sites.Network && s.Sites.File != "":
		return nil, cmdline.SettingError{Err: errors.New("--network and --sites exclude each other")}
	case s.API.Webhooks != "":
		return nil, cmdline.SettingError{Err: errors.New("--webhooks is for one site, and can't be used with --network or --sites")}
	case !s.Sites.Network:
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
	network, err := OpenNetwork(ctx, s, store, o.Logger)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return network, nil
}
