package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"sync"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/guard"
	"calbridge/wpstore/sqlconn/charset"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/sqlconn/server"
)

// Servers are the database servers of one site. They are safe for concurrent use.
type Servers struct {
	cfg      Config
	depends  DependsOn
	dialect  dialect.Dialect
	version  string
	settings *server.Settings
	primary  *server.Server
	feed     *FeedServer
	replicas []*server.Replica
	watcher  *server.Watcher // nil without replicas
	anchor   *sql.DB         // keeps an in-memory SQLite database alive
	// charset is that of all connections.
	charset charset.Connection
	// cluster: the primary is a node of a Galera cluster.
	cluster   bool
	templates Templates
	// shared is set if the servers are those of others, who close them.
	shared bool
	// scratch has buffers for results, seeds those of digests.
	scratch sync.Pool
	seeds   [2]maphash.Seed
}

// Open connects to the primary, asks which server it is, and starts to watch the
// replicas. It does not look at any table. Its errors say what to mend, and match
// [wpstore.ErrUnavailable] where trying again later may help.
func Open(ctx context.Context, cfg Config, depends DependsOn) (*Servers, error) {
	s := &Servers{cfg: cfg.withDefaults(), depends: depends, feed: &FeedServer{},
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
	s.settings = s.cfg.server()
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if !s.dialect.Embedded() {
		name, _, _ := charset.OfConnection(s.cfg.Charset, "") // an error has prevented opening
		s.charset = charset.Connection{Name: name, Known: s.cfg.Charset != ""}
	}
	return s, nil
}

// Share returns the same servers for one of several sites whose databases they hold, with the settings
// of that site. The site may use half of the connections at a time. The servers outlive it.
func (s *Servers) Share(cfg Config) *Servers {
	own := &Servers{
		cfg: cfg.withDefaults(), depends: s.depends, dialect: s.dialect, version: s.version, feed: s.feed, replicas: s.replicas, watcher: s.watcher,
		charset: s.charset, cluster: s.cluster, shared: true, seeds: s.seeds,
	}
	own.cfg.Database, own.cfg.Feed, own.cfg.Replicas = s.cfg.Database, s.cfg.Feed, s.cfg.Replicas
	own.settings = own.cfg.server()
	own.primary = s.primary.Share(own.settings, max(1, own.cfg.MaxOpen/2))
	if s.dialect.Embedded() { // a transaction of any site locks the whole database
		own.primary = s.primary
	}
	return own
}

func (s *Servers) open(ctx context.Context) (err error) {
	if s.cfg.Database.MySQL == nil {
		if len(s.cfg.Replicas) > 0 {
			return &SettingError{"replica-dsn", errors.New("only MySQL and MariaDB have replicas")}
		}
		if s.cfg.Feed != nil {
			return &SettingError{"feed-dsn", errors.New("only MySQL and MariaDB have a binary log")}
		}
		s.dialect = dialect.SQLite{}
		s.primary, s.version, s.anchor, err = server.OpenSQLite(ctx, s.settings, s.cfg.Database.SQLite)
		return ofSetting("dsn", err)
	}
	if s.primary, s.dialect, s.version, err = server.OpenMySQL(ctx, s.settings, s.cfg.Database.MySQL); err != nil {
		return ofSetting("dsn", err)
	}
	if s.feed, err = feedServer(s.settings, s.cfg.Feed, s.primary.Driver); err != nil {
		return ofSetting("feed-dsn", err)
	}
	if s.cluster, err = s.primary.Clustered(ctx); err != nil {
		return err
	}
	for i, at := range s.cfg.Replicas {
		r, err := server.OpenReplica(s.settings, i, at)
		if err != nil {
			return ofSetting("replica-dsn", fmt.Errorf("replica %d: %w", i+1, err))
		}
		s.replicas = append(s.replicas, r)
	}
	if len(s.replicas) > 0 {
		s.watcher = server.WatchReplicas(server.WatcherConfig{
			Primary: s.primary, Replicas: s.replicas, Dialect: s.dialect, MaxLag: s.cfg.ReplicaMaxLag, State: s.cfg.ReplicaState, Logger: s.cfg.Logger, Guard: s.cfg.Guard,
		})
	}
	return nil
}

// SettingError is why the server that a setting names can't be used.
type SettingError struct {
	Setting string // dsn, feed-dsn or replica-dsn
	Err     error
}

// Error implements error.
func (e *SettingError) Error() string { return e.Setting + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *SettingError) Unwrap() error { return e.Err }

func ofSetting(setting string, err error) error {
	if err == nil {
		return nil
	}
	return &SettingError{setting, err}
}

// Close ends all connections. An in-memory database is gone afterwards.
func (s *Servers) Close() error {
	if s.shared {
		return nil
	}
	var errs []error
	if s.watcher != nil {
		errs = append(errs, s.watcher.Close())
	}
	for _, r := range s.replicas {
		errs = append(errs, r.Close())
	}
	if s.primary != nil {
		errs = append(errs, s.primary.Pool.Close())
	}
	if s.anchor != nil {
		errs = append(errs, s.anchor.Close())
	}
	return errors.Join(errs...)
}

// Ping reports whether the database answers now.
func (s *Servers) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	if err := s.primary.Pool.PingContext(ctx); err != nil {
		return s.Explain(ctx, "ping", err)
	}
	return nil
}

// Config returns the settings, with their defaults.
func (s *Servers) Config() *Config { return &s.cfg }

// Logger returns Config.Logger.
func (s *Servers) Logger() *slog.Logger { return s.cfg.Logger }

// Guard returns Config.Guard.
func (s *Servers) Guard() *guard.Guard { return s.cfg.Guard }

// Now returns Config.Now.
func (s *Servers) Now() time.Time { return s.cfg.Now() }

// dialect.Dialect is how the engine wants its SQL.
func (s *Servers) Dialect() dialect.Dialect { return s.dialect }

// Version returns the version as the server gives it, such as "10.11.6-MariaDB" or
// "8.0.36".
func (s *Servers) Version() string { return s.version }

// Cluster reports whether the primary is a node of a Galera cluster, whose other nodes may be
// written to at the same time. They see none of its locks: of transactions on two nodes
// that change the same row, one fails.
func (s *Servers) Cluster() bool { return s.cluster }

// SQL returns the pool of the primary, for collectors of its statistics and for loading
// dumps.
func (s *Servers) SQL() *sql.DB { return s.primary.Pool }

// Pools returns the pools of all servers by name, for collectors of their statistics.
func (s *Servers) Pools() map[string]*sql.DB {
	pools := map[string]*sql.DB{server.PrimaryName: s.primary.Pool}
	for _, r := range s.replicas {
		pools[r.Name] = r.Pool
	}
	return pools
}

// OpenPool opens another pool of connections to the primary, with the same session
// settings; [Servers.Reconnect] leaves it alone. It does not connect yet.
func (s *Servers) OpenPool() *sql.DB { return s.primary.OpenAnother() }

// OpenWithout opens a pool as OpenPool does. Its connections have no database.
func (s *Servers) OpenWithout() *sql.DB { return s.primary.OpenWithout() }

// Reconnect closes all connections to the primary that were made so far, those in use
// when they come back: its address leads to another server now.
func (s *Servers) Reconnect() { s.primary.Reconnect() }

// HasReplica reports whether [Runner.UseReplica] would find a replica now.
func (s *Servers) HasReplica() bool {
	r, _ := server.LeastBusy(s.replicas)
	return r != nil
}

// ReplicaMaxLag returns how far behind the replicas in use may be; 0 without any.
func (s *Servers) ReplicaMaxLag() time.Duration {
	if len(s.replicas) == 0 {
		return 0
	}
	return s.cfg.ReplicaMaxLag
}

// Replicas returns the number of configured replicas.
func (s *Servers) Replicas() int { return len(s.replicas) }

// Charset returns the character set of all connections.
func (s *Servers) Charset() charset.Connection { return s.charset }

// Collation returns the configured collation of all connections; "" is the default of the
// character set. The server may not know it.
func (s *Servers) Collation() string {
	if s.primary.Driver == nil {
		return ""
	}
	return s.primary.Driver.Collation
}

// Feed returns the server whose log the change feed follows.
func (s *Servers) Feed() *FeedServer { return s.feed }

// InspectReplica looks at a replica, counted from 0, with a query that its user must
// be able to run. It waits for a second until the replica has caught up.
func (s *Servers) InspectReplica(ctx context.Context, i int, readable sq.Sqlizer) server.ReplicaFinding {
	return server.InspectReplica(ctx, s.primary, s.replicas[i], s.dialect, s.cfg.QueryTimeout, readable)
}

// Explain wraps an error of a statement with its name and kind. The context is the
// one the statement ran under.
func (s *Servers) Explain(ctx context.Context, name string, err error) error {
	return explain(ctx, s.dialect, name, err)
}
