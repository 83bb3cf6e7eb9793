package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
)

// PrimaryName is the name of the server that is written to, as metrics show it.
// Replicas are called replica1, replica2 and so on, in the order of the settings.
const PrimaryName = "primary"

// Server is one database server: a connection pool and the queue before it.
// The queue is our own because database/sql would let a statement wait for a
// connection as long as its request may take: with a database that hangs, every
// request would hang with it instead of being refused soon.
type Server struct {
	// Name is as metrics show it.
	Name string
	// Driver are the driver's settings, nil for SQLite.
	Driver *mysql.Config
	// Pool has the connections, each of which needs a place: see Enter.
	Pool *sql.DB

	cfg    *Settings
	places chan struct{} // one for each connection
	// share are the places that one of several sites may take; nil for all.
	share chan struct{}
	// classes are the places of each class with a limit of its own.
	classes map[wpstore.CostClass]chan struct{}
	*life
}

// life holds the state of a server, which all sites share.
type life struct {
	// dropped is when idle connections were last dropped, in nanoseconds since 1970.
	dropped atomic.Int64
	// generation grows when the address may lead to another server: connections made
	// before are closed. refused is set while no write has succeeded since one was
	// refused or lost its connection.
	generation atomic.Int64
	refused    atomic.Bool
}

func newServer(name string, cfg *Settings) *Server {
	s := &Server{Name: name, cfg: cfg, places: make(chan struct{}, cfg.MaxOpen), life: &life{}}
	s.limit(cfg.Places)
	return s
}

// limit sets the places of each class.
func (s *Server) limit(places map[wpstore.CostClass]int) {
	s.classes = map[wpstore.CostClass]chan struct{}{}
	for class, n := range places {
		s.classes[class] = make(chan struct{}, n)
	}
}

// Share returns the same server for one of several sites, with the settings of that site. The site may
// use at most most connections at a time.
func (s *Server) Share(cfg *Settings, most int) *Server {
	shared := &Server{Name: s.Name, Driver: s.Driver, Pool: s.Pool, cfg: cfg, places: s.places, share: make(chan struct{}, most), life: s.life}
	shared.limit(cfg.Places)
	return shared
}

func (s *Server) use(pool *sql.DB) {
	s.Pool = pool
	pool.SetMaxOpenConns(cap(s.places))
	pool.SetMaxIdleConns(cap(s.places))
}

// Enter waits for a place of a class, and then for a connection's; Leave returns both. A request
// that waits for its class holds no connection.
func (s *Server) Enter(ctx context.Context, class wpstore.CostClass) error {
	start := time.Now()
	if err := s.Admit(ctx, class); err != nil {
		return err
	}
	err := s.connect(ctx, class, s.cfg.PoolWait-time.Since(start))
	if err != nil {
		s.Dismiss(class)
	}
	return err
}

// Leave returns the places that Enter took.
func (s *Server) Leave(class wpstore.CostClass) {
	s.Disconnect()
	s.Dismiss(class)
}

// Admit waits for a place of a class alone; Dismiss returns it.
func (s *Server) Admit(ctx context.Context, class wpstore.CostClass) error {
	places := s.classes[class]
	if places == nil || tryTake(places) {
		return nil
	}
	return take(ctx, places, class, s.cfg.PoolWait)
}

// Dismiss returns the place that Admit took.
func (s *Server) Dismiss(class wpstore.CostClass) {
	if places := s.classes[class]; places != nil {
		<-places
	}
}

// Connect waits for the place of a connection, for a request that Admit has let in. Disconnect
// returns it.
func (s *Server) Connect(ctx context.Context, class wpstore.CostClass) error {
	return s.connect(ctx, class, s.cfg.PoolWait)
}

// Disconnect returns the place that Connect took.
func (s *Server) Disconnect() {
	<-s.places
	if s.share != nil {
		<-s.share
	}
}

func (s *Server) connect(ctx context.Context, class wpstore.CostClass, limit time.Duration) error {
	start := time.Now()
	if s.share != nil && !tryTake(s.share) {
		if err := take(ctx, s.share, class, limit); err != nil {
			s.Entered(time.Since(start))
			return err
		}
	}
	if tryTake(s.places) {
		s.Entered(0)
		return nil
	}
	defer func() { s.Entered(time.Since(start)) }()
	err := take(ctx, s.places, class, limit-time.Since(start))
	if err != nil && s.share != nil {
		<-s.share
	}
	return err
}

func tryTake(places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	default:
		return false
	}
}

// take waits for a place, first come, first served.
func take(ctx context.Context, places chan struct{}, class wpstore.CostClass, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return &wpstore.CrowdedError{Class: class, Places: cap(places), Waited: limit}
	}
}

// Entered reports that a statement has a connection's place, after a time; Enter and Connect do so
// themselves.
func (s *Server) Entered(waited time.Duration) {
	if s.cfg.Observe != nil {
		s.cfg.Observe(s.Name, waited)
	}
}

// DropPause is the shortest time between two clearings of a pool.
const DropPause = time.Second

// DropIdle closes the idle connections after one has turned out to lead to a server
// that is gone, hangs, or is read-only: the others most likely lead there too, and
// would cost a request each. The driver notices only connections that the server has
// closed itself.
func (s *Server) DropIdle() {
	now := time.Now().UnixNano()
	last := s.dropped.Load()
	if now-last < int64(DropPause) || !s.dropped.CompareAndSwap(last, now) {
		return
	}
	s.Pool.SetMaxIdleConns(-1)
	s.Pool.SetMaxIdleConns(cap(s.places))
}

// Reconnect closes all connections made so far, those in use when they come back: the
// address leads to another server now, and the former one may still answer reads with
// old rows.
func (s *Server) Reconnect() { s.generation.Add(1) }

// Clustered asks a server whether it is a node of a Galera cluster.
func (s *Server) Clustered(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	var name, value string
	err := s.Pool.QueryRowContext(ctx, `SHOW GLOBAL VARIABLES LIKE 'wsrep\_on'`).Scan(&name, &value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("ask the server whether it is in a cluster: %w", err)
	}
	return value == "ON", nil
}

func (s *Server) askVersion(ctx context.Context, query string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	var version string
	err := s.Pool.QueryRowContext(ctx, query).Scan(&version)
	return version, err
}

// Busy returns the number of places that are taken.
func (s *Server) Busy() int { return len(s.places) }

// Generation grows when the address may lead to another server.
func (s *Server) Generation() int64 { return s.generation.Load() }

// Refused says that the server has refused a write, or lost its connection.
func (s *Server) Refused() {
	s.refused.Store(true)
	s.DropIdle()
}

// Written says that the server has written. Where it had refused before, the address leads
// to another server now.
func (s *Server) Written() {
	if s.refused.CompareAndSwap(true, false) {
		s.Reconnect()
	}
}

// OpenAnother opens another pool of connections to the server, which Reconnect leaves alone.
// It does not connect yet.
func (s *Server) OpenAnother() *sql.DB { return OpenPool(s.Driver, s.cfg, new(atomic.Int64)) }

// OpenWithout opens a pool as OpenAnother does. Its connections have no database.
func (s *Server) OpenWithout() *sql.DB {
	return OpenPool(WithoutDatabase(s.Driver), s.cfg, new(atomic.Int64))
}

// OpenProbe opens a pool of one connection to the server. It does not connect yet.
func (s *Server) OpenProbe() *sql.DB {
	pool := OpenPool(s.Driver, s.cfg, &s.generation)
	pool.SetMaxOpenConns(1)
	return pool
}
