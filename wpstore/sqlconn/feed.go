package sqlconn

import (
	"cmp"
	"database/sql"
	"fmt"
	"sync/atomic"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/sqlconn/server"
)

// FeedServer is the server whose log the change feed follows: the primary, perhaps at an
// address of its own. The embedded engine has none.
type FeedServer struct {
	settings *server.Settings
	driver   *mysql.Config
	apart    bool
}

// feedServer returns the server at an address, where the name of the database may be left out;
// nil means the address of the primary.
func feedServer(s *server.Settings, at, primary *mysql.Config) (*FeedServer, error) {
	if at == nil {
		return &FeedServer{s, primary, false}, nil
	}
	cfg, err := server.DriverConfig(s, at, primary.DBName)
	if err != nil {
		return nil, err
	}
	if cfg.DBName != primary.DBName {
		return nil, fmt.Errorf("its database is %q, and that of the site %q", cfg.DBName, primary.DBName)
	}
	return &FeedServer{s, cfg, true}, nil
}

// Config returns the driver's settings for connections to it.
func (f *FeedServer) Config() *mysql.Config { return f.driver.Clone() }

// Apart reports whether it has an address of its own.
func (f *FeedServer) Apart() bool { return f.apart }

// OpenPool opens a pool of connections with the session settings of all connections. It does
// not connect yet.
func (f *FeedServer) OpenPool() *sql.DB {
	return server.OpenPool(f.driver, f.settings, new(atomic.Int64))
}

// OpenWithout opens a pool as OpenPool does. Its connections have no database.
func (f *FeedServer) OpenWithout() *sql.DB {
	return server.OpenPool(server.WithoutDatabase(f.driver), f.settings, new(atomic.Int64))
}

// Advise adds to an error of the server what to do about it, if the server could not be reached.
func (f *FeedServer) Advise(err error) error {
	if advice := server.Advice(f.driver, err); advice != "" {
		return fmt.Errorf("cannot connect to %s: %s: %w", cmp.Or(f.driver.Addr, f.driver.Net), advice, err)
	}
	return err
}
