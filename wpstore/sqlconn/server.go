package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
)

// PrimaryName is the name of the server that is written to, as metrics show it.
// Replicas are called replica1, replica2 and so on, in the order of the settings.
const PrimaryName = "primary"

// server is one database server: a connection pool and the queue before it.
// The queue is our own because database/sql would let a statement wait for a
// connection as long as its request may take: with a database that hangs, every
// request would hang with it instead of being refused soon.
type server struct {
	name   string
	cfg    *Config
	driver *mysql.Config // nil for SQLite
	pool   *sql.DB
	places chan struct{} // one for each connection
	// dropped is when idle connections were last dropped, in nanoseconds since 1970.
	dropped atomic.Int64
	// generation grows when the address may lead to another server: connections made
	// before are closed. refused is set while no write has succeeded since one was
	// refused or lost its connection.
	generation atomic.Int64
	refused    atomic.Bool
}

func newServer(name string, cfg *Config) *server {
	return &server{name: name, cfg: cfg, places: make(chan struct{}, cfg.MaxOpen)}
}

func (s *server) use(pool *sql.DB) {
	s.pool = pool
	pool.SetMaxOpenConns(cap(s.places))
	pool.SetMaxIdleConns(cap(s.places))
}

// enter waits for a place, first come, first served; leave returns it.
func (s *server) enter(ctx context.Context) error {
	select {
	case s.places <- struct{}{}:
		s.entered(0)
		return nil
	default:
	}
	start := time.Now()
	defer func() { s.entered(time.Since(start)) }()
	timer := time.NewTimer(s.cfg.PoolWait)
	defer timer.Stop()
	select {
	case s.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fmt.Errorf("%w: none of %d became free within %s", errCrowded, cap(s.places), s.cfg.PoolWait)
	}
}

func (s *server) entered(waited time.Duration) {
	if s.cfg.ObserveServer != nil {
		s.cfg.ObserveServer(s.name, waited)
	}
}

func (s *server) leave() { <-s.places }

// dropPause is the shortest time between two clearings of a pool.
const dropPause = time.Second

// dropIdle closes the idle connections after one has turned out to lead to a server
// that is gone, hangs, or is read-only: the others most likely lead there too, and
// would cost a request each. The driver notices only connections that the server has
// closed itself.
func (s *server) dropIdle() {
	now := time.Now().UnixNano()
	last := s.dropped.Load()
	if now-last < int64(dropPause) || !s.dropped.CompareAndSwap(last, now) {
		return
	}
	s.pool.SetMaxIdleConns(-1)
	s.pool.SetMaxIdleConns(cap(s.places))
}

// reconnect closes all connections made so far, those in use when they come back: the
// address leads to another server now, and the former one may still answer reads with
// old rows.
func (s *server) reconnect() { s.generation.Add(1) }

// clustered asks a server whether it is a node of a Galera cluster.
func (s *server) clustered(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	var name, value string
	err := s.pool.QueryRowContext(ctx, `SHOW GLOBAL VARIABLES LIKE 'wsrep\_on'`).Scan(&name, &value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("ask the server whether it is in a cluster: %w", err)
	}
	return value == "ON", nil
}

func (s *server) askVersion(ctx context.Context, query string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	var version string
	if err := s.pool.QueryRowContext(ctx, query).Scan(&version); err != nil {
		return "", fmt.Errorf("ask the server for its version: %w", err)
	}
	return version, nil
}
