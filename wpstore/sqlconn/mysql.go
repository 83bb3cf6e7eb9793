package sqlconn

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
)

// dialTimeout bounds the making of a connection.
const dialTimeout = 5 * time.Second

// openMySQL connects to a server, and asks which one it is.
func openMySQL(ctx context.Context, c *Config) (*server, Dialect, string, error) {
	cfg, err := driverConfig(c, c.DSN)
	if err != nil {
		return nil, nil, "", err
	}
	s, err := openServer(PrimaryName, cfg, c)
	if err != nil {
		return nil, nil, "", err
	}
	version, err := s.askVersion(ctx, "SELECT VERSION()", c.QueryTimeout)
	if err != nil {
		return s, nil, "", adviseConnection(cfg, err)
	}
	var d Dialect = mysqlDialect{}
	if strings.Contains(strings.ToLower(version), "mariadb") {
		d = mariadbDialect{}
	}
	// MariaDB hides behind this prefix towards old replicas.
	return s, d, strings.TrimPrefix(version, "5.5.5-"), nil
}

// openServer opens the pool of a server. It does not connect yet.
func openServer(name string, cfg *mysql.Config, c *Config) (*server, error) {
	moves := new(atomic.Int64)
	pool, err := openPool(cfg, c, moves)
	if err != nil {
		return nil, err
	}
	s := newServer(name, pool, c)
	s.moves = moves
	return s, nil
}

// openPool opens a pool of prepared connections. It drops those that were made before
// the last change of moves, which may be nil.
func openPool(cfg *mysql.Config, c *Config, moves *atomic.Int64) (*sql.DB, error) {
	inner, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, fmt.Errorf("database settings: %w", err)
	}
	pool := sql.OpenDB(&mysqlConnector{Connector: inner, driver: cfg, cfg: c, moves: moves, plain: sendsPlainly(cfg)})
	pool.SetConnMaxLifetime(c.ConnMaxLifetime)
	return pool, nil
}

// driverConfig turns a DSN into the driver's settings. What the DSN says about
// addresses, TLS, timeouts and collation stays; what the package's correctness
// rests on is set here.
func driverConfig(c *Config, dsn string) (*mysql.Config, error) {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("dsn: %w; expected user:password@tcp(host:3306)/database, user:password@unix(/path/to.sock)/database, sqlite::memory: or sqlite:FILE", err)
	}
	if cfg.DBName == "" {
		return nil, errors.New("dsn: the name of the database is missing; expected user:password@tcp(host:3306)/database")
	}
	cfg.ParseTime = false // zero dates and 2024-00-10 must come through as they are
	cfg.InterpolateParams = true
	cfg.MultiStatements = false
	cfg.AllowAllFiles = false
	cfg.RejectReadOnly = true
	cfg.CheckConnLiveness = true
	collation := cfg.Collation
	if collation == "" {
		collation = TextCollation
	}
	if err := cfg.Apply(mysql.Charset("utf8mb4", collation)); err != nil {
		return nil, fmt.Errorf("dsn: collation %q: %w", collation, err)
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = dialTimeout
	}
	// The context of each statement ends it in time; these catch a network that
	// swallows packets.
	if cfg.ReadTimeout == 0 {
		cfg.ReadTimeout = c.QueryTimeout + dialTimeout
	}
	if cfg.WriteTimeout == 0 {
		cfg.WriteTimeout = c.QueryTimeout + dialTimeout
	}
	cfg.Logger = driverLog{c.Logger}
	return cfg, nil
}

// mysqlConnector prepares every new connection of the pool.
type mysqlConnector struct {
	driver.Connector
	driver *mysql.Config
	cfg    *Config
	moves  *atomic.Int64
	plain  bool // without encryption and compression
	// oneByOne: something on the way takes no more than one statement at a time.
	oneByOne atomic.Bool
}

// sendsPlainly says whether the driver neither encrypts nor compresses. Compression
// is known to the text of a DSN only.
func sendsPlainly(cfg *mysql.Config) bool {
	return cfg.TLS == nil && !strings.Contains(cfg.FormatDSN(), "compress=true")
}

// Connect opens a connection and sets its session up as WordPress has it, minus
// everything that depends on the server's configuration.
func (c *mysqlConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.prepared(ctx)
	if err != nil || c.oneByOne.Load() {
		return conn, err
	}
	if err = tryTogether(ctx, conn); err == nil {
		return conn, nil
	}
	conn.Close()
	if conn, otherErr := c.prepared(ctx); otherErr == nil {
		c.oneByOne.Store(true)
		c.cfg.Logger.Info("statements are sent one by one: what is between here and the database takes no more at a time", "err", err)
		return conn, nil
	}
	return nil, err
}

// tryTogether finds out whether statements may be sent together.
func tryTogether(ctx context.Context, conn driver.Conn) error {
	c, ok := conn.(*mysqlConn)
	if !ok || c.text == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	return c.until(ctx, func(context.Context) error { return c.text.tryTogether() })
}

func (c *mysqlConnector) prepared(ctx context.Context) (driver.Conn, error) {
	made := int64(0)
	if c.moves != nil {
		made = c.moves.Load() // before: it leads to where the role was by now at the latest
	}
	conn, err := connect(ctx, c.driver, c.plain)
	if err != nil {
		return nil, err
	}
	if own, ok := conn.(*mysqlConn); ok {
		own.moves, own.made = c.moves, made
	}
	if _, err := conn.(driver.ExecerContext).ExecContext(ctx, c.session(), nil); err != nil {
		conn.Close()
		return nil, fmt.Errorf("set up the session: %w", err)
	}
	return conn, nil
}

// session is the statement that prepares a connection. WordPress removes the
// strict modes and the zero-date modes: its tables hold 0000-00-00 dates. The
// limits in version comments make the server itself give up on a statement that
// nobody waits for any more: max_statement_time is MariaDB's, in seconds, and
// max_execution_time MySQL's, in milliseconds.
func (c *mysqlConnector) session() string {
	limit := c.cfg.QueryTimeout + time.Second
	set := fmt.Sprintf("SET time_zone = '+00:00', sql_mode = 'NO_ENGINE_SUBSTITUTION'"+
		" /*M!100101 , max_statement_time = %d */ /*!50708 , max_execution_time = %d */",
		int64(limit/time.Second), int64(limit/time.Millisecond))
	if c.cfg.FixedClock {
		set += fmt.Sprintf(", timestamp = %d", c.cfg.Now().Unix())
	}
	return set
}

// driverLog passes the driver's own remarks on.
type driverLog struct{ logger *slog.Logger }

// Print implements mysql.Logger.
func (l driverLog) Print(v ...any) { l.logger.Debug("mysql driver", "message", fmt.Sprint(v...)) }
