package sites

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/rest/metrics"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
)

// connections holds what sites share: files that were read, and connections: one pool for each database, and one change feed
// for each account at a server. They are opened when the first site needs them, and closed last. It is
// safe for concurrent use.
type connections struct {
	logger  *slog.Logger
	metrics *metrics.Metrics
	// follows reports whether the binary logs are followed.
	follows bool
	// ctx ends the feeds.
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	files site.Files

	mu      sync.Mutex
	servers map[string]*sqlconn.Servers
	hubs    map[string]*changefeed.Hub
}

func newConnections(logger *slog.Logger, m *metrics.Metrics, follows bool) *connections {
	c := &connections{logger: logger, metrics: m, follows: follows, servers: map[string]*sqlconn.Servers{}, hubs: map[string]*changefeed.Hub{}}
	c.ctx, c.stop = context.WithCancel(context.Background())
	return c
}

// of returns what a site with these settings shares with others.
func (c *connections) of(ctx context.Context, s *settings.Settings) (site.Shared, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cfg := site.StoreConfig(s, c.logger, c.metrics)
	key := poolKey(s)
	if c.servers[key] == nil {
		opened, err := sitedb.OpenServers(ctx, cfg)
		if err != nil {
			return site.Shared{}, err
		}
		c.servers[key] = opened
	}
	shared := site.Shared{Servers: c.servers[key], Files: &c.files}
	if !c.follows || shared.Servers.Dialect().Embedded() {
		return shared, nil
	}
	at := shared.Servers.Feed().Config()
	key = fmt.Sprintf("%s %s %s", at.Net, at.Addr, at.User)
	if c.hubs[key] == nil {
		hub := changefeed.NewHub(shared.Servers)
		c.hubs[key] = hub
		shared.Servers.Guard().Loop(c.ctx, &c.work, "following the binary log", hub.Run)
	}
	shared.Hub = c.hubs[key]
	return shared, nil
}

// poolKey returns a text that is the same for sites whose connections are.
func poolKey(s *settings.Settings) string {
	d := &s.Database
	text := fmt.Sprintf("%q %q %t", d.Address.String(), d.Charset, d.DriverOnly)
	if d.Address.MySQL != nil {
		text += " " + d.Address.MySQL.FormatDSN()
	}
	if d.Feed != nil {
		text += " " + d.Feed.FormatDSN()
	}
	for _, replica := range d.Replicas {
		text += " " + replica.FormatDSN()
	}
	return text
}

// close closes all connections. No site may use them.
func (c *connections) close() error {
	c.stop()
	c.work.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, servers := range c.servers {
		errs = append(errs, servers.Close())
	}
	return errors.Join(errs...)
}
