package mysqlwire

import (
	"context"
	"fmt"
	"net"

	"github.com/go-sql-driver/mysql"
)

// Dial connects and logs in by the driver, without a default database and without
// compression. The context bounds that alone.
func Dial(ctx context.Context, cfg *mysql.Config) (*Conn, error) {
	if cfg.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cfg.Timeout)
		defer cancel()
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, cfg.Net, cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	c, err := login(ctx, conn, cfg.Clone())
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("log in: %w", err)
	}
	return c, nil
}

func login(ctx context.Context, conn net.Conn, cfg *mysql.Config) (*Conn, error) {
	cfg.DBName = ""
	if err := cfg.Apply(mysql.EnableCompression(false)); err != nil {
		return nil, err
	}
	if cfg.TLS != nil {
		t, err := OfferTLS(ctx, conn, cfg)
		if err != nil {
			return nil, err
		}
		conn = t
	}
	cfg.DialFunc = func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	below, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &Conn{Reader: NewReader(conn, connBuffer), driver: below, net: conn}, nil
}
