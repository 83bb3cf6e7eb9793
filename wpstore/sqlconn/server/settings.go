package server

import (
	"database/sql/driver"
	"log/slog"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/guard"
)

// Settings are those of the connections to the servers of a site; see sqlconn.Config.
type Settings struct {
	// MaxOpen is the number of connections, and PoolWait how long a statement waits for one.
	MaxOpen  int
	PoolWait time.Duration
	// Places are the numbers of connections that requests of a class may use at a time. A class
	// that is missing may use all.
	Places map[wpstore.CostClass]int
	// QueryTimeout bounds a statement, ConnMaxLifetime the use of a connection.
	QueryTimeout, ConnMaxLifetime time.Duration
	// Charset is wp-config.php's DB_CHARSET; "" means that it is not known.
	Charset string
	// DriverOnly leaves sending statements and reading results to the driver.
	DriverOnly bool
	// CreateFile lets a missing SQLite file be created.
	CreateFile bool
	// Wrap wraps the connector to SQLite, so that tests can watch its connections; it may be nil.
	Wrap func(driver.Connector) driver.Connector
	// Now is the clock; FixedClock makes SQL's own NOW() answer it too.
	Now        func() time.Time
	FixedClock bool
	Logger     *slog.Logger
	Guard      *guard.Guard
	// Observe gets how long a statement or transaction waited for a connection to a server;
	// it may be nil.
	Observe func(server string, waited time.Duration)
}
