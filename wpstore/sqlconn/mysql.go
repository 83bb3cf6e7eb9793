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

// openMySQL connects to the primary, and asks which engine it is.
func openMySQL(ctx context.Context, c *Config) (*server, Dialect, string, error) {
	s, err := openServer(PrimaryName, c, c.DSN)
	if err != nil {
		return nil, nil, "", err
	}
	version, err := s.askVersion(ctx, "SELECT VERSION()")
	if err != nil {
		return s, nil, "", adviseConnection(s.driver, err)
	}
	var d Dialect = mysqlDialect{}
	switch {
	case strings.Contains(strings.ToLower(version), "mariadb"):
		d = mariadbDialect{}
	case strings.HasPrefix(version, "5."):
		d = oldMySQLDialect{}
	}
	// MariaDB puts this prefix before its version for the sake of old replicas.
	return s, d, strings.TrimPrefix(version, "5.5.5-"), nil
}

// openServer opens the pool of a server. It does not connect yet.
func openServer(name string, c *Config, dsn string) (*server, error) {
	cfg, err := driverConfig(c, dsn)
	if err != nil {
		return nil, err
	}
	s := newServer(name, c)
	s.driver = cfg
	s.use(openPool(cfg, c, &s.generation))
	return s, nil
}

// openPool opens a pool of connections with their sessions set up. It drops those that
// were made before the last change of generation.
func openPool(cfg *mysql.Config, c *Config, generation *atomic.Int64) *sql.DB {
	connector := &mysqlConnector{driver: cfg, cfg: c, generation: generation}
	connector.driverOnly.Store(c.DriverOnly || compresses(cfg))
	pool := sql.OpenDB(connector)
	pool.SetConnMaxLifetime(c.ConnMaxLifetime)
	return pool
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
	if cfg.Net != "tcp" && cfg.Net != "unix" {
		return nil, fmt.Errorf("dsn: the network %q is neither tcp nor unix", cfg.Net)
	}
	cfg.ParseTime = false // zero dates and 2024-00-10 must come through as they are
	cfg.InterpolateParams = true
	cfg.MultiStatements = false
	cfg.AllowAllFiles = false
	cfg.RejectReadOnly = true
	cfg.CheckConnLiveness = true
	charset, collation, err := connectionCharset(c.Charset, cfg.Collation)
	if err != nil {
		return nil, err
	}
	if err := cfg.Apply(mysql.Charset(charset, collation)); err != nil {
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

// compresses says whether the driver compresses, which only the text of a DSN says.
func compresses(cfg *mysql.Config) bool { return strings.Contains(cfg.FormatDSN(), "compress=true") }

// mysqlConnector opens the connections of a pool.
type mysqlConnector struct {
	driver     *mysql.Config
	cfg        *Config
	generation *atomic.Int64
	// driverOnly turns [textReader] off.
	driverOnly atomic.Bool
}

// Driver implements driver.Connector.
func (*mysqlConnector) Driver() driver.Driver { return mysql.MySQLDriver{} }

// Connect opens a connection. Where it turns out not to take pipelined statements, it
// opens one that does without, as are all later ones.
func (c *mysqlConnector) Connect(ctx context.Context) (driver.Conn, error) {
	driverOnly := c.driverOnly.Load()
	conn, err := c.prepared(ctx, driverOnly)
	if err != nil {
		return nil, err
	}
	if driverOnly {
		return conn, nil
	}
	limited, cancel := context.WithTimeout(ctx, dialTimeout)
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
	c.cfg.Logger.Info("results are read by the driver alone: what is between here and the database does not take pipelined statements", "err", err)
	return conn, nil
}

// prepared opens a connection and sets its session up.
func (c *mysqlConnector) prepared(ctx context.Context, driverOnly bool) (*mysqlConn, error) {
	conn, err := connect(ctx, c.driver, c.generation, driverOnly)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, c.session(), nil); err != nil {
		conn.Close()
		return nil, fmt.Errorf("set up the session: %w", err)
	}
	return conn, nil
}

// session is the statement that sets up a session as WordPress does, which removes the
// strict modes and the zero-date modes: its tables hold 0000-00-00 dates. The limits in
// version comments make the server itself end a statement after its client has gone:
// max_statement_time is MariaDB's, in seconds, and max_execution_time MySQL's, in
// milliseconds.
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

// driverLog logs the driver's own messages.
type driverLog struct{ logger *slog.Logger }

// Print implements mysql.Logger.
func (l driverLog) Print(v ...any) { l.logger.Debug("mysql driver", "message", fmt.Sprint(v...)) }
