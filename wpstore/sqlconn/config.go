package sqlconn

import (
	"log/slog"
	"time"

	"calbridge/wpstore/invalidation"
)

// Defaults of the pools, used where a Config leaves the field zero.
const (
	// DefaultMaxOpen is far below the 151 connections a stock server allows,
	// which PHP shares.
	DefaultMaxOpen = 16
	// DefaultConnMaxLifetime stays under the short wait_timeout of shared hosts,
	// and lets connections follow a fail-over or a load balancer.
	DefaultConnMaxLifetime = 3 * time.Minute
	// DefaultQueryTimeout ends a single statement.
	DefaultQueryTimeout = 10 * time.Second
	// DefaultPoolWait is many times what a busy but healthy database needs, and
	// short enough for clients not to give up first.
	DefaultPoolWait = 3 * time.Second
)

// Config says which database to open and how.
type Config struct {
	// DSN is a go-sql-driver/mysql data source name
	// (user:password@tcp(host:3306)/database), "sqlite:FILE" or "sqlite::memory:".
	DSN string
	// CreateFile lets a missing SQLite file be created; without it Open fails.
	CreateFile bool
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// FixedClock makes SQL's own NOW() answer Now() too.
	FixedClock bool
	// Logger receives what the driver has to say; nil discards it.
	Logger *slog.Logger
	// ReadOnly says that nothing is to be written; the checks then ask for no more
	// privileges than reading needs.
	ReadOnly bool

	// MaxOpen, ConnMaxLifetime and QueryTimeout default to the constants above.
	MaxOpen         int
	ConnMaxLifetime time.Duration
	QueryTimeout    time.Duration
	// PoolWait is how long a statement or transaction waits for a connection before
	// it fails with ErrUnavailable; 0 is DefaultPoolWait.
	PoolWait time.Duration
	// Replicas are the DSNs of servers that may be read from; see [Runner.UseReplica].
	Replicas []string
	// ReplicaMaxLag is how far behind the primary a replica may be; with 0 every
	// read waits until its replica has what the primary has.
	ReplicaMaxLag time.Duration
	// ReplicaState is told what is known of a replica after each look at it.
	ReplicaState func(name string, state ReplicaState)
	// ObserveServer is told of each statement and transaction: the name of its
	// server, and how long it waited for a connection.
	ObserveServer func(server string, waited time.Duration)
	// Observe is called after every statement with its name, for metrics. It may
	// be nil, and is called from many goroutines.
	Observe func(name string, took time.Duration, err error)
}

// ReplicaState is what is known of a replica after a look at it.
type ReplicaState struct {
	// InUse: reads may go to it.
	InUse bool
	// Lag is how old the oldest transaction may be that the replica lacks; less than
	// 0 while that is not known.
	Lag time.Duration
}

// Site is what the connections must know of what is stored behind them.
type Site struct {
	// Options is the quoted name of a table that is there, and may be written where
	// anything may.
	Options string
	// DependsOn are the sets on which the result of a named query depends.
	DependsOn func(query string) []invalidation.Kind
}

// systemClock is the machine's clock.
func systemClock() time.Time { return time.Now() }

func (cfg Config) withDefaults() Config {
	if cfg.Now == nil {
		cfg.Now = systemClock
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.MaxOpen <= 0 {
		cfg.MaxOpen = DefaultMaxOpen
	}
	if cfg.ConnMaxLifetime <= 0 {
		cfg.ConnMaxLifetime = DefaultConnMaxLifetime
	}
	if cfg.QueryTimeout <= 0 {
		cfg.QueryTimeout = DefaultQueryTimeout
	}
	if cfg.PoolWait <= 0 {
		cfg.PoolWait = DefaultPoolWait
	}
	return cfg
}
