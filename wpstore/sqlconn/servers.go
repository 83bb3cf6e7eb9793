package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"hash/maphash"
	"log/slog"
	"strings"
	"sync"
	"time"

	"calbridge/wpstore"
)

// Servers are the database servers of one site. They are safe for concurrent use.
type Servers struct {
	cfg     Config
	site    Site
	dialect Dialect
	version string
	// configured is the server to which Config.DSN leads.
	configured *server
	// cluster is all of them, with their roles, and watcher who looks at replicas, nil
	// where there are none.
	cluster *cluster
	watcher *watcher
	anchor  *sql.DB // keeps an in-memory SQLite database alive
	// writers lets one transaction of this process write at a time.
	writers chan struct{}
	// templates are statements that are built once, scratch buffers for results, and
	// seeds those of digests.
	templates Templates
	scratch   sync.Pool
	seeds     [2]maphash.Seed
}

// Open connects, asks the server who it is, and returns it with its replicas. It does
// not look at any table. Its errors say what to mend, and match
// [wpstore.ErrUnavailable] where trying again later may help.
func Open(ctx context.Context, cfg Config, site Site) (*Servers, error) {
	s := &Servers{cfg: cfg.withDefaults(), site: site, writers: make(chan struct{}, 1),
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
	var err error
	if file, ok := strings.CutPrefix(cfg.DSN, "sqlite:"); ok {
		s.dialect = sqliteDialect{}
		s.configured, s.version, s.anchor, err = openSQLite(ctx, &s.cfg, file)
	} else {
		s.configured, s.dialect, s.version, err = openMySQL(ctx, &s.cfg)
	}
	if err == nil {
		s.cluster, err = newCluster(&s.cfg, s.dialect, s.configured)
	}
	if err == nil && len(s.cluster.replicas) > 0 {
		s.watcher, err = watch(s.cluster, site.Options)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close ends all connections. An in-memory database is gone afterwards.
func (s *Servers) Close() error {
	var err error
	if s.watcher != nil {
		err = s.watcher.close()
	}
	if s.cluster != nil {
		err = errors.Join(err, s.cluster.close())
	}
	if s.configured != nil {
		err = errors.Join(err, s.configured.pool.Close())
	}
	if s.anchor != nil {
		err = errors.Join(err, s.anchor.Close())
	}
	return err
}

// Ping says whether the database answers now.
func (s *Servers) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout)
	defer cancel()
	if err := s.cluster.leader().pool.PingContext(ctx); err != nil {
		return s.Explain(ctx, "ping", err)
	}
	return nil
}

// Config are the settings, with their defaults.
func (s *Servers) Config() *Config { return &s.cfg }

// Logger is where to say what goes wrong.
func (s *Servers) Logger() *slog.Logger { return s.cfg.Logger }

// Now is the clock that the database was opened with.
func (s *Servers) Now() time.Time { return s.cfg.Now() }

// Dialect is how the engine wants its SQL.
func (s *Servers) Dialect() Dialect { return s.dialect }

// Version is the version as the server tells it, such as "10.11.6-MariaDB" or
// "8.0.36".
func (s *Servers) Version() string { return s.version }

// Templates are the statements that this database's stores have built.
func (s *Servers) Templates() *Templates { return &s.templates }

// SQL is the pool of the server that the DSN names, for collectors of its statistics
// and for loading dumps.
func (s *Servers) SQL() *sql.DB { return s.configured.pool }

// Pools are the pools of all servers by name, for collectors of their statistics.
func (s *Servers) Pools() map[string]*sql.DB {
	pools := map[string]*sql.DB{PrimaryName: s.configured.pool}
	for _, r := range s.cluster.replicas {
		pools[r.name] = r.pool
	}
	return pools
}

// Primary is who has the role of the primary now.
func (s *Servers) Primary() *Primary { return s.cluster.role.Load() }

// HasReplica says whether [Runner.UseReplica] would find a replica now.
func (s *Servers) HasReplica() bool {
	r, _ := s.cluster.choose()
	return r != nil
}

// ReplicaMaxLag is how far behind the replicas in use may be; 0 without any.
func (s *Servers) ReplicaMaxLag() time.Duration {
	if len(s.cluster.replicas) == 0 {
		return 0
	}
	return s.cfg.ReplicaMaxLag
}

// Replicas is how many replicas are named.
func (s *Servers) Replicas() int { return len(s.cluster.replicas) }

// Digest is that of any text.
func (s *Servers) Digest(text []byte) wpstore.Digest {
	return wpstore.Digest{maphash.Bytes(s.seeds[0], text), maphash.Bytes(s.seeds[1], text)}
}

func (s *Servers) digest(text string) wpstore.Digest {
	return wpstore.Digest{maphash.String(s.seeds[0], text), maphash.String(s.seeds[1], text)}
}

// Explain wraps an error of a statement with its name and kind. The context is the
// one the statement ran under.
func (s *Servers) Explain(ctx context.Context, name string, err error) error {
	return explain(ctx, s.dialect, name, err)
}
