package mysqlwire

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/guard"
)

// Dial connects and logs in, without a default database, compression and collation. The
// context limits only this call. The guard catches panics of the driver, both during the
// login and later.
func Dial(ctx context.Context, cfg *mysql.Config, g *guard.Guard) (*Conn, error) {
	conn, err := (&net.Dialer{Timeout: cfg.Timeout}).DialContext(ctx, cfg.Net, cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	cfg = cfg.Clone()
	cfg.DBName, cfg.Collation, cfg.Logger = "", "", &mysql.NopLogger{}
	if err = cfg.Apply(mysql.EnableCompression(false)); err == nil {
		c := &Conn{}
		if c.driver, c.net, err = Login(ctx, conn, cfg, g); err == nil {
			c.Reader = NewReader(c.net, connBuffer)
			return c, nil
		}
	}
	conn.Close()
	return nil, fmt.Errorf("log in: %w", err)
}

// Login logs in on a new connection with the driver, over TLS if cfg requests it. It
// returns the driver's connection, and the decrypted stream below it, which can be used
// while the driver is idle. After an error the caller closes conn. If the driver panics,
// then or later, the guard catches it, and the call fails with [mysql.ErrInvalidConn].
func Login(ctx context.Context, conn net.Conn, cfg *mysql.Config, g *guard.Guard) (logged driver.Conn, stream net.Conn, err error) {
	cfg = cfg.Clone()
	if cfg.TLS != nil {
		if conn, err = offerTLS(ctx, conn, cfg); err != nil {
			return nil, nil, err
		}
	}
	log := &loginLog{Logger: cfg.Logger}
	cfg.Logger = log
	cfg.DialFunc = func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, nil, err
	}
	if logged, err = connect(ctx, connector, g); err != nil {
		if errors.Is(err, mysql.ErrUnknownPlugin) && log.plugin != "" {
			err = fmt.Errorf("%w: %s", err, log.plugin)
		}
		if u, ok := conn.(*upgrade); ok && u.failed != nil {
			err = u.failed
		}
		return nil, conn, err
	}
	return &guarded{driverConn: logged.(driverConn), net: conn, guard: g}, conn, nil
}

// connect calls Connect of a connector of the driver, and returns an error if that panics.
func connect(ctx context.Context, c driver.Connector, g *guard.Guard) (conn driver.Conn, err error) {
	defer func() {
		if caught := g.Caught(driverTask, recover()); caught != nil {
			err = fmt.Errorf("%w: %v", mysql.ErrInvalidConn, caught)
		}
	}()
	return c.Connect(ctx)
}

// loginLog records which authentication plugin of the server the driver doesn't support.
// The driver only logs it.
type loginLog struct {
	mysql.Logger
	plugin string
}

// Print implements mysql.Logger.
func (l *loginLog) Print(v ...any) {
	if n := len(v); n >= 2 && v[n-2] == "unknown auth plugin:" { // after the position in the driver
		l.plugin = fmt.Sprint(v[len(v)-1])
	}
	if l.Logger != nil {
		l.Logger.Print(v...)
	}
}
