package sqlconn

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/go-sql-driver/mysql"
)

// cluster is the servers of a site and their roles.
type cluster struct {
	cfg     *Config
	dialect Dialect
	// configured is the server to which Config.DSN leads.
	configured *server
	// role is who has the role of the primary, which a replica may have taken.
	role     atomic.Pointer[Primary]
	replicas []*replica
}

// newCluster makes the pools of the replicas. It does not wait for any server: a
// replica that is away is none to be read from, and nothing more. After an error what
// it returns must be closed too.
func newCluster(cfg *Config, d Dialect, configured *server) (*cluster, error) {
	c := &cluster{cfg: cfg, dialect: d, configured: configured}
	c.role.Store(newPrimary(configured, cfg, cfg.DSN))
	if len(cfg.Replicas) > 0 && d.Embedded() {
		return c, errors.New("replica dsn: only MySQL and MariaDB have replicas")
	}
	for i, dsn := range cfg.Replicas {
		r, err := openReplica(cfg, i, dsn)
		if err != nil {
			return c, fmt.Errorf("replica %d: %w", i+1, err)
		}
		c.replicas = append(c.replicas, r)
	}
	return c, nil
}

func openReplica(c *Config, i int, dsn string) (*replica, error) {
	cfg, err := driverConfig(c, dsn)
	if err != nil {
		return nil, err
	}
	s, err := openServer(ReplicaName(i), cfg, c)
	if err != nil {
		return nil, err
	}
	probe, err := openPool(cfg, c, s.moves)
	if err != nil {
		return nil, err
	}
	probe.SetMaxOpenConns(1)
	return &replica{server: s, index: i, addr: cfg.Addr, probe: probe, dsn: dsn}, nil
}

func (c *cluster) close() error {
	var errs []error
	for _, r := range c.replicas {
		errs = append(errs, r.probe.Close(), r.pool.Close())
	}
	return errors.Join(errs...)
}

// leader is the server that is written to, and that has everything.
func (c *cluster) leader() *server { return c.role.Load().server }

// choose returns the least busy of the replicas in use, nil when there is none.
func (c *cluster) choose() (*replica, *service) {
	var best *replica
	var in *service
	if len(c.replicas) == 0 {
		return nil, nil
	}
	first := rand.IntN(len(c.replicas)) // so that equals take turns
	for i := range c.replicas {
		r := c.replicas[(first+i)%len(c.replicas)]
		if s := r.service.Load(); s != nil && (best == nil || len(r.places) < len(best.places)) {
			best, in = r, s
		}
	}
	return best, in
}

// Primary is a server that has the role of the primary.
type Primary struct {
	*server
	cfg   *Config
	dsn   string
	ended chan struct{} // closed when another server takes the role
}

func newPrimary(s *server, cfg *Config, dsn string) *Primary {
	return &Primary{s, cfg, dsn, make(chan struct{})}
}

// Ended is closed when another server takes the role.
func (p *Primary) Ended() <-chan struct{} { return p.ended }

// Moved closes all connections to it that were made so far, those in use when they
// come back.
func (p *Primary) Moved() { p.moved() }

// DriverConfig are the driver's settings for connections to it.
func (p *Primary) DriverConfig() (*mysql.Config, error) { return driverConfig(p.cfg, p.dsn) }

// OpenPool opens a pool of connections to it that are nobody else's, with sessions
// set up as all others. It does not connect yet.
func (p *Primary) OpenPool() (*sql.DB, error) {
	cfg, err := p.DriverConfig()
	if err != nil {
		return nil, err
	}
	return openPool(cfg, p.cfg, nil)
}
