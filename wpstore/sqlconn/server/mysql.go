package server

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/sqlconn/charset"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/sqlconn/mysqlconn"
)

// dialTimeout bounds the making of a connection.
const dialTimeout = 5 * time.Second

// OpenMySQL connects to the primary, and asks which engine it is.
func OpenMySQL(ctx context.Context, c *Settings, at *mysql.Config) (*Server, dialect.Dialect, string, error) {
	s, err := Open(PrimaryName, c, at)
	if err != nil {
		return nil, nil, "", err
	}
	version, err := s.askVersion(ctx, "SELECT VERSION()")
	if err != nil {
		return s, nil, "", Advise(s.Driver, err)
	}
	// MariaDB puts this prefix before its version for the sake of old replicas.
	return s, dialect.Of(version), strings.TrimPrefix(version, "5.5.5-"), nil
}

// Open opens the pool of a server. It does not connect yet.
func Open(name string, c *Settings, at *mysql.Config) (*Server, error) {
	cfg, err := DriverConfig(c, at, "")
	if err != nil {
		return nil, err
	}
	s := newServer(name, c)
	s.Driver = cfg
	s.use(OpenPool(cfg, c, &s.generation))
	return s, nil
}

// OpenPool opens a pool of connections with their sessions set up. It drops those that
// were made before the last change of generation.
func OpenPool(cfg *mysql.Config, c *Settings, generation *atomic.Int64) *sql.DB {
	return mysqlconn.OpenPool(cfg, mysqlconn.Settings{
		DriverOnly: c.DriverOnly, MaxLifetime: c.ConnMaxLifetime, Session: c.session, Logger: c.Logger, Guard: c.Guard,
	}, generation)
}

// WithoutDatabase returns the driver's settings for connections without a database.
func WithoutDatabase(cfg *mysql.Config) *mysql.Config {
	cfg = cfg.Clone()
	cfg.DBName = ""
	return cfg
}

// DriverConfig returns the driver's settings for the server at an address; database is the
// name where the address has none. What the address says about hosts, TLS, timeouts and
// collation stays; what the package's correctness rests on is set here.
func DriverConfig(c *Settings, at *mysql.Config, database string) (*mysql.Config, error) {
	cfg := at.Clone()
	if cfg.DBName = cmp.Or(cfg.DBName, database); cfg.DBName == "" {
		return nil, errors.New("the name of the database is missing; expected user:password@tcp(host:3306)/database")
	}
	cfg.ParseTime = false // zero dates and 2024-00-10 must come through as they are
	cfg.InterpolateParams = true
	cfg.MultiStatements = false
	cfg.AllowAllFiles = false
	cfg.RejectReadOnly = true
	cfg.CheckConnLiveness = true
	name, collation, err := charset.OfConnection(c.Charset, cfg.Collation)
	if err != nil {
		return nil, err
	}
	if err := cfg.Apply(mysql.Charset(name, collation)); err != nil {
		return nil, fmt.Errorf("collation %q: %w", collation, err)
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

// session returns the statement that sets up a session as WordPress does, which removes the
// strict modes and the zero-date modes: its tables hold 0000-00-00 dates. The limits in
// version comments make the server itself end a statement after its client has gone:
// max_statement_time is MariaDB's, in seconds, and max_execution_time MySQL's, in
// milliseconds. MySQL 8 would answer questions about tables with what it knew a day ago.
func (c *Settings) session() string {
	limit := c.QueryTimeout + time.Second
	set := fmt.Sprintf("SET time_zone = '+00:00', sql_mode = 'NO_ENGINE_SUBSTITUTION'"+
		" /*M!100101 , max_statement_time = %d */ /*!50708 , max_execution_time = %d */ /*!80003 , information_schema_stats_expiry = 0 */",
		int64(limit/time.Second), int64(limit/time.Millisecond))
	if c.FixedClock {
		set += fmt.Sprintf(", timestamp = %d", c.Now().Unix())
	}
	return set
}

// driverLog logs the driver's own messages.
type driverLog struct{ logger *slog.Logger }

// Print implements mysql.Logger.
func (l driverLog) Print(v ...any) { l.logger.Debug("mysql driver", "message", fmt.Sprint(v...)) }
