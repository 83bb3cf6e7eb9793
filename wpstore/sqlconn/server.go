package sqlconn

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"
)

// PrimaryName is the name of the server that is written to, as metrics show it.
// Replicas are called replica1, replica2 and so on, in the order of the settings.
const PrimaryName = "primary"

// ReplicaName is the name of the i-th replica, counted from 0.
func ReplicaName(i int) string { return fmt.Sprintf("replica%d", i+1) }

// server is one database server: a pool of connections and the queue before it.
// The queue is our own because database/sql would let a statement wait for a
// connection as long as its request may take: with a database that hangs, every
// request would hang with it instead of being refused soon.
type server struct {
	name   string
	pool   *sql.DB
	places chan struct{} // one for each connection
	wait   time.Duration // longest wait for a place
	// observe is told of each statement or transaction and how long it waited.
	observe func(server string, waited time.Duration)
	// most is the number of connections; dropped is when idle ones were last
	// dropped, in nanoseconds since 1970.
	most    int
	dropped atomic.Int64
	// moves counts the moves of the role, nil where it stays. refused is set while no
	// write has succeeded since one was refused, or its connection lost.
	moves   *atomic.Int64
	refused atomic.Bool
}

func newServer(name string, pool *sql.DB, cfg *Config) *server {
	s := &server{name: name, pool: pool, places: make(chan struct{}, cfg.MaxOpen), wait: cfg.PoolWait, observe: cfg.ObserveServer, most: cfg.MaxOpen}
	pool.SetMaxOpenConns(s.most)
	pool.SetMaxIdleConns(s.most)
	return s
}

// enter waits for a place, first come, first served; leave gives it back.
func (s *server) enter(ctx context.Context) error {
	select {
	case s.places <- struct{}{}:
		s.entered(0)
		return nil
	default:
	}
	start := time.Now()
	defer func() { s.entered(time.Since(start)) }()
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case s.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fmt.Errorf("%w: none of %d became free within %s", errCrowded, s.most, s.wait)
	}
}

// entered tells of a statement or transaction that has a place.
func (s *server) entered(waited time.Duration) {
	if s.observe != nil {
		s.observe(s.name, waited)
	}
}

func (s *server) leave() { <-s.places }

// dropPause is the shortest time between two clearings of a pool.
const dropPause = time.Second

// dropIdle closes the connections that are not in use, since one has turned out to
// lead to a server that is gone, hangs, or may not be written any more: the others
// most likely lead there too, and would cost a request each. A server that closed
// them itself is noticed by the driver; one that vanished without a word, or gave
// its role to another, is not.
func (s *server) dropIdle() {
	now := time.Now().UnixNano()
	last := s.dropped.Load()
	if now-last < int64(dropPause) || !s.dropped.CompareAndSwap(last, now) {
		return
	}
	s.pool.SetMaxIdleConns(-1)
	s.pool.SetMaxIdleConns(s.most)
}

// moved closes all connections made so far, those in use when they come back: the
// role is another server's now, and the old one may go on answering reads, with what
// it had then.
func (s *server) moved() {
	if s.moves != nil {
		s.moves.Add(1)
	}
}

func (s *server) askVersion(ctx context.Context, query string, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var version string
	if err := s.pool.QueryRowContext(ctx, query).Scan(&version); err != nil {
		return "", fmt.Errorf("ask the server for its version: %w", err)
	}
	return version, nil
}
