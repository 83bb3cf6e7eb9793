package mysqlconn

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/guard"
)

// Settings are those of the connections of a pool.
type Settings struct {
	// DriverOnly leaves sending statements and reading results to the driver.
	DriverOnly bool
	// MaxLifetime is how long a connection is used at most.
	MaxLifetime time.Duration
	// Session is the statement that sets a session up, to which assignments can be added.
	Session func() string
	Logger  *slog.Logger
	// Guard catches panics of the driver.
	Guard *guard.Guard
}

// OpenPool opens a pool of connections with their sessions set up. It drops those that
// were made before the last change of generation. It does not connect yet.
func OpenPool(cfg *mysql.Config, s Settings, generation *atomic.Int64) *sql.DB {
	c := &connector{driver: cfg.Clone(), settings: s, generation: generation, collation: cfg.Collation}
	c.driver.Collation = ""
	c.driverOnly.Store(s.DriverOnly || compresses(cfg))
	pool := sql.OpenDB(c)
	pool.SetConnMaxLifetime(s.MaxLifetime)
	return pool
}

// settleTimeout bounds how long a new connection may take to show that it takes pipelined
// statements.
const settleTimeout = 5 * time.Second

// compresses reports whether the driver compresses, which it shows only in the text of a DSN.
// The texts that others choose are left out of it.
func compresses(cfg *mysql.Config) bool {
	cfg = cfg.Clone()
	cfg.User, cfg.Passwd, cfg.Net, cfg.Addr, cfg.DBName, cfg.Collation, cfg.Params = "", "", "", "", "", "", nil
	cfg.ConnectionAttributes, cfg.ServerPubKey, cfg.TLSConfig = "", "", ""
	return strings.Contains(cfg.FormatDSN(), "compress=true")
}

// connector opens the connections of a pool.
type connector struct {
	driver     *mysql.Config
	settings   Settings
	generation *atomic.Int64
	// driverOnly turns [textReader] off.
	driverOnly atomic.Bool
	// collation is that of the connections, "" for the default of their character set. The
	// driver would accept only the collations that it knows itself. refused is set once the
	// server has refused it.
	collation string
	refused   atomic.Bool
}

// Driver implements driver.Connector.
func (*connector) Driver() driver.Driver { return mysql.MySQLDriver{} }

// Connect opens a connection. Where it turns out not to take pipelined statements, it
// opens one that does without, as are all later ones.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	driverOnly := c.driverOnly.Load()
	conn, err := c.prepared(ctx, driverOnly)
	if err != nil {
		return nil, err
	}
	if driverOnly {
		return conn, nil
	}
	limited, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	if err = conn.until(limited, conn.text.tryPipelining); err == nil {
		return conn, nil
	}
	conn.Close()
	conn, otherErr := c.prepared(ctx, true)
	if otherErr != nil {
		return nil, err
	}
	c.driverOnly.Store(true)
	c.settings.Logger.Info("results are read by the driver alone: what is between here and the database does not take pipelined statements", "err", err)
	return conn, nil
}

// prepared opens a connection and sets its session up.
func (c *connector) prepared(ctx context.Context, driverOnly bool) (*Conn, error) {
	conn, err := connect(ctx, c.driver, c.generation, driverOnly, c.settings.Guard)
	if err != nil {
		return nil, err
	}
	if err := c.setUp(ctx, conn); err != nil {
		conn.Close()
		return nil, fmt.Errorf("set up the session: %w", err)
	}
	return conn, nil
}

// setUp sets up the session of a connection. If the server refuses the collation, this
// connection and all later ones use the default of their character set, as WordPress's do: PHP
// sets the character set and then ignores that SET NAMES with a collation fails.
func (c *connector) setUp(ctx context.Context, conn *Conn) error {
	set := c.settings.Session()
	if c.collation != "" && !c.refused.Load() {
		_, err := conn.ExecContext(ctx, set+", collation_connection = "+c.collation, nil)
		if !refusesCollation(err) {
			return err
		}
		if !c.refused.Swap(true) {
			c.settings.Logger.Info("connections use the default collation of their character set: the server does not know the configured one", "collation", c.collation)
		}
	}
	_, err := conn.ExecContext(ctx, set, nil)
	return err
}

// refusesCollation reports whether a server does not know a collation.
func refusesCollation(err error) bool {
	const unknownCollation = 1273
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && refused.Number == unknownCollation
}
