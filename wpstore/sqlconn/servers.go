package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Servers are the database servers of one site. They are safe for concurrent use.
type Servers struct {
	cfg      Config
	depends  DependsOn
	dialect  Dialect
	version  string
	primary  *server
	replicas []*replica
	watcher  *watcher // nil without replicas
	anchor   *sql.DB  // keeps an in-memory SQLite database alive
	// cluster: the primary is a node of a Galera cluster.
	cluster bool
	// writers has a place for each transaction that may run at a time.
	writers   chan struct{}
	templates Templates
	// scratch has buffers for results, seeds those of digests.
	scratch sync.Pool
	seeds   [2]maphash.Seed
}

// Open connects to the primary, asks which server it is, and starts to watch the
// replicas. It does not look at any table. Its errors say what to mend, and match
// [wpstore.ErrUnavailable] where trying again later may help.
func Open(ctx context.Context, cfg Config, depends DependsOn) (*Servers, error) {
	s := &Servers{cfg: cfg.withDefaults(), depends: depends,
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	places := max(1, s.cfg.MaxOpen/2)
	if s.dialect.Embedded() {
		places = 1 // it locks the whole database
	}
	s.writers = make(chan struct{}, places)
	return s, nil
}

func (s *Servers) open(ctx context.Context) (err error) {
	if file, ok := strings.CutPrefix(s.cfg.DSN, "sqlite:"); ok {
		if len(s.cfg.Replicas) > 0 {
			return errors.New("replica dsn: only MySQL and MariaDB have replicas")
		}
		s.dialect = sqliteDialect{}
		s.primary, s.version, s.anchor, err = openSQLite(ctx, &s.cfg, file)
		return err
	}
	if s.primary, s.dialect, s.version, err = openMySQL(ctx, &s.cfg); err != nil {
		return err
	}
	if s.cluster, err = s.primary.clustered(ctx); err != nil {
		return err
	}
	for i := range s.cfg.Replicas {
		r, err := openReplica(&s.cfg, i)
		if err != nil {
			return fmt.Errorf("replica %d: %w", i+1, err)
		}
		s.replicas = append(s.replicas, r)
	}
	if len(s.replicas) > 0 {
		s.watcher = watch(s)
	}
	return nil
}

// Close ends all connections. An in-memory database is gone afterwards.
func (s *Servers) Close() error {
	var errs []error
	if s.watcher != nil {
		errs = append(errs, s.watcher.close())
	}
	for _, r := range s.replicas {
		errs = append(errs, r.close())
	}
	if s.primary != nil {
		errs = append(errs, s.primary.pool.Close())
	}
	if s.anchor != nil {
		errs = append(errs, s.anchor.Close())
	}
	return errors.Join(errs...)
}

// Ping says whether the database answers now.
func (s *Servers) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	if err := s.primary.pool.PingContext(ctx); err != nil {
		return s.Explain(ctx, "ping", err)
	}
	return nil
}

// Config are the settings, with their defaults.
func (s *Servers) Config() *Config { return &s.cfg }

// Logger is Config.Logger.
func (s *Servers) Logger() *slog.Logger { return s.cfg.Logger }

// Now is Config.Now.
func (s *Servers) Now() time.Time { return s.cfg.Now() }

// Dialect is how the engine wants its SQL.
func (s *Servers) Dialect() Dialect { return s.dialect }

// Version is the version as the server gives it, such as "10.11.6-MariaDB" or
// "8.0.36".
func (s *Servers) Version() string { return s.version }

// Cluster says whether the primary is a node of a Galera cluster, whose other nodes may be
// written to at the same time. They see none of its locks: of transactions on two nodes
// that change the same row, one fails.
func (s *Servers) Cluster() bool { return s.cluster }

// SQL is the pool of the primary, for collectors of its statistics and for loading
// dumps.
func (s *Servers) SQL() *sql.DB { return s.primary.pool }

// Pools are the pools of all servers by name, for collectors of their statistics.
func (s *Servers) Pools() map[string]*sql.DB {
	pools := map[string]*sql.DB{PrimaryName: s.primary.pool}
	for _, r := range s.replicas {
		pools[r.name] = r.pool
	}
	return pools
}

// DriverConfig are the driver's settings for connections to the primary.
func (s *Servers) DriverConfig() *mysql.Config { return s.primary.driver.Clone() }

// OpenPool opens another pool of connections to the primary, with the same session
// settings; [Servers.Reconnect] leaves it alone. It does not connect yet.
func (s *Servers) OpenPool() *sql.DB { return openPool(s.primary.driver, &s.cfg, new(atomic.Int64)) }

// Reconnect closes all connections to the primary that were made so far, those in use
// when they come back: its address leads to another server now.
func (s *Servers) Reconnect() { s.primary.reconnect() }

// HasReplica says whether [Runner.UseReplica] would find a replica now.
func (s *Servers) HasReplica() bool {
	r, _ := leastBusy(s.replicas)
	return r != nil
}

// ReplicaMaxLag is how far behind the replicas in use may be; 0 without any.
func (s *Servers) ReplicaMaxLag() time.Duration {
	if len(s.replicas) == 0 {
		return 0
	}
	return s.cfg.ReplicaMaxLag
}

// Replicas is the number of configured replicas.
func (s *Servers) Replicas() int { return len(s.replicas) }

// Explain wraps an error of a statement with its name and kind. The context is the
// one the statement ran under.
func (s *Servers) Explain(ctx context.Context, name string, err error) error {
	return explain(ctx, s.dialect, name, err)
}
