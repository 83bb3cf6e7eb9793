package sqlconn

import (
	"cmp"
	"database/sql/driver"
	"log/slog"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
	"calbridge/wpstore/dbaddr"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn/server"
)

// PrimaryName is the name of the server that is written to, as metrics show it.
const PrimaryName = server.PrimaryName

// Defaults of the pools, used where a Config leaves the field zero.
const (
	// DefaultMaxOpen is far below the 151 connections a stock server allows,
	// which PHP shares.
	DefaultMaxOpen = 16
	// DefaultConnMaxLifetime stays under the short wait_timeout of shared hosts,
	// and lets connections follow a fail-over or a load balancer.
	DefaultConnMaxLifetime = 3 * time.Minute
	// DefaultQueryTimeout bounds a single statement.
	DefaultQueryTimeout = 10 * time.Second
	// DefaultPoolWait is many times what a busy but healthy database needs, and
	// short enough for clients not to give up first.
	DefaultPoolWait = 3 * time.Second
)

// Config describes which database to open and how.
type Config struct {
	// Database is the address of the database.
	Database dbaddr.Address
	// Feed is where the change feed reads the binary log, if not at the address of Database:
	// the same server, without the proxy before it. nil means Database.
	Feed *mysql.Config
	// Charset is wp-config.php's DB_CHARSET; "" means that it is not known. Connections use
	// it as WordPress's do.
	Charset string
	// CreateFile lets a missing SQLite file be created; without it Open fails.
	CreateFile bool
	// Wrap wraps the connector to SQLite, so that tests can watch its connections; it may be nil.
	Wrap func(driver.Connector) driver.Connector
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// FixedClock makes SQL's own NOW() answer Now() too.
	FixedClock bool
	// Logger gets what goes wrong; nil discards it.
	Logger *slog.Logger
	// Guard catches panics in goroutines and in the driver; nil means one that logs to Logger.
	Guard *guard.Guard
	// ReadOnly says that nothing will be written; the checks then require only the
	// privileges of reading.
	ReadOnly bool
	// DriverOnly leaves sending statements and reading results to the MySQL driver:
	// nothing is pipelined, and no row is read past it. Slower; for proxies that take
	// no pipelined statements.
	DriverOnly bool

	// MaxOpen, ConnMaxLifetime and QueryTimeout default to the constants above.
	MaxOpen         int
	ConnMaxLifetime time.Duration
	QueryTimeout    time.Duration
	// PoolWait is how long a statement or transaction waits for a connection before
	// it fails with ErrUnavailable; 0 is DefaultPoolWait.
	PoolWait time.Duration
	// SlowPlaces and ExportPlaces are the numbers of connections to each server that requests of
	// the classes [wpstore.CostSlow] and [wpstore.CostExport] may use at a time; 0 is a quarter of
	// MaxOpen, and an eighth.
	SlowPlaces, ExportPlaces int
	// Replicas are servers that may be read from; see [Runner.UseReplica].
	Replicas []*mysql.Config
	// ReplicaMaxLag is how far behind the primary a replica may be; with 0 every
	// read waits until its replica has what the primary has.
	ReplicaMaxLag time.Duration
	// ReplicaState gets the state of a replica after each look at it.
	ReplicaState func(name string, state server.ReplicaState)
	// ObserveServer is called for each statement and transaction with the name of its
	// server and how long it waited for a connection.
	ObserveServer func(server string, waited time.Duration)
	// Observe is called after every statement with its name, for metrics, from many
	// goroutines. It may be nil.
	Observe func(name string, took time.Duration, err error)
}

// DependsOn returns the sets on which the result of a named query depends.
type DependsOn func(query string) []invalidation.Kind

func (cfg Config) withDefaults() Config {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	if cfg.Guard == nil {
		cfg.Guard = guard.New(cfg.Logger, nil)
	}
	cfg.MaxOpen = cmp.Or(cfg.MaxOpen, DefaultMaxOpen)
	cfg.ConnMaxLifetime = cmp.Or(cfg.ConnMaxLifetime, DefaultConnMaxLifetime)
	cfg.QueryTimeout = cmp.Or(cfg.QueryTimeout, DefaultQueryTimeout)
	cfg.PoolWait = cmp.Or(cfg.PoolWait, DefaultPoolWait)
	return cfg
}

// places returns how many connections each class may use. Together they leave some for ordinary
// reads, unless the caller has chosen more.
func (cfg *Config) places() map[wpstore.CostClass]int {
	writes := cfg.MaxOpen / 2
	if cfg.Database.MySQL == nil {
		writes = 1 // a transaction locks the whole database
	}
	return map[wpstore.CostClass]int{
		wpstore.CostSlow:   cmp.Or(cfg.SlowPlaces, cfg.MaxOpen/4, 1),
		wpstore.CostExport: cmp.Or(cfg.ExportPlaces, cfg.MaxOpen/8, 1),
		wpstore.CostWrite:  max(1, writes),
	}
}

// server returns the settings of all servers.
func (cfg *Config) server() *server.Settings {
	return &server.Settings{
		MaxOpen: cfg.MaxOpen, PoolWait: cfg.PoolWait, Places: cfg.places(), QueryTimeout: cfg.QueryTimeout, ConnMaxLifetime: cfg.ConnMaxLifetime,
		Charset: cfg.Charset, DriverOnly: cfg.DriverOnly, CreateFile: cfg.CreateFile, Wrap: cfg.Wrap,
		Now: cfg.Now, FixedClock: cfg.FixedClock, Logger: cfg.Logger, Guard: cfg.Guard, Observe: cfg.ObserveServer,
	}
}
