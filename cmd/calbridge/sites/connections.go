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
	"calbridge/wpstore/searchindex"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
)

// connections holds the resources that sites share: the contents of files, the classes of collations, one
// pool for each database, and one change feed for each account at a server. They are opened when the first site needs them, and closed
// last. It is safe for concurrent use.
type connections struct {
	logger  *slog.Logger
	metrics *metrics.Metrics
	// follows reports whether the binary logs are followed.
	follows bool
	// ctx ends the feeds.
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	files      site.Files
	collations searchindex.Collations

	mu    sync.Mutex
	pools map[string]*pool
	hubs  map[string]*changefeed.Hub
}

// pool is the pool of a database.
type pool struct {
	opening sync.Mutex       // held while it is opened, so that another database doesn't have to wait
	servers *sqlconn.Servers // nil until it is open
}

// newConnections returns no connections. follows makes sites follow the binary log.
func newConnections(logger *slog.Logger, m *metrics.Metrics, follows bool) *connections {
	c := &connections{logger: logger, metrics: m, follows: follows, pools: map[string]*pool{}, hubs: map[string]*changefeed.Hub{}}
	c.ctx, c.stop = context.WithCancel(context.Background())
	return c
}

// of returns the resources of a site with these settings.
func (c *connections) of(ctx context.Context, s *settings.Settings) (site.Shared, error) {
	if s.Database.Address.IsZero() {
		return site.Shared{}, site.NoDatabase()
	}
	servers, err := c.pool(s).open(ctx, site.StoreConfig(s, c.logger, c.metrics))
	if err != nil {
		return site.Shared{}, err
	}
	shared := site.Shared{Servers: servers, Collations: &c.collations, Files: &c.files}
	if c.follows && !servers.Dialect().Embedded() {
		shared.Hub = c.hub(servers)
	}
	return shared, nil
}

// pool returns the pool of a site's database.
func (c *connections) pool(s *settings.Settings) *pool {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := poolKey(s)
	if c.pools[key] == nil {
		c.pools[key] = &pool{}
	}
	return c.pools[key]
}

// open opens the pool, unless it is open.
func (p *pool) open(ctx context.Context, cfg sitedb.Config) (*sqlconn.Servers, error) {
	p.opening.Lock()
	defer p.opening.Unlock()
	if p.servers != nil {
		return p.servers, nil
	}
	servers, err := sitedb.OpenServers(ctx, cfg)
	if err == nil {
		p.servers = servers
	}
	return servers, err
}

// hub returns the change feed of a server.
func (c *connections) hub(servers *sqlconn.Servers) *changefeed.Hub {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := servers.Feed().Config()
	key := fmt.Sprintf("%s %s %s", at.Net, at.Addr, at.User)
	if c.hubs[key] == nil {
		c.hubs[key] = changefeed.NewHub(servers)
		servers.Guard().Loop(c.ctx, &c.work, "following the binary log", c.hubs[key].Run)
	}
	return c.hubs[key]
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
	for _, p := range c.pools {
		if p.servers != nil {
			errs = append(errs, p.servers.Close())
		}
	}
	return errors.Join(errs...)
}
