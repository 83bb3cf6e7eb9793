package server

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
)

// Advise adds what to mend to the error of a MySQL server that could not be
// reached. It never prints the password.
func Advise(cfg *mysql.Config, err error) error {
	advice := Advice(cfg, err)
	if advice == "" {
		return fmt.Errorf("connect to %s: %w: %w", cfg.Addr, wpstore.ErrUnavailable, err)
	}
	return fmt.Errorf("connect to %s: %w; %s: %w", cfg.Addr, wpstore.ErrUnavailable, advice, err)
}

// Advice describes what to fix when a server could not be reached, "" if that is unknown.
func Advice(cfg *mysql.Config, err error) string {
	var serverErr *mysql.MySQLError
	if errors.As(err, &serverErr) {
		switch serverErr.Number {
		case 1045, 1698:
			return fmt.Sprintf("the server refuses user %q with this password: check DB_USER and DB_PASSWORD, and that the user may connect from this host", cfg.User)
		case 1044:
			return fmt.Sprintf("user %q may not use database %q: grant it SELECT on the WordPress tables", cfg.User, cfg.DBName)
		case 1049:
			return fmt.Sprintf("there is no database %q on this server: check DB_NAME", cfg.DBName)
		case 1130:
			return "the server accepts no connections from this host: create the user for this host"
		case 1040, 1203, 1226:
			return "all its connections are taken: raise max_connections or lower the pool size of the clients"
		case 3159:
			return "the server takes connections with TLS only: add tls=true to --dsn, or tls=skip-verify if its certificate is its own"
		case 3032:
			return "the server is in offline mode: SET GLOBAL offline_mode = OFF when its maintenance ends"
		}
		return ""
	}
	var name *net.DNSError
	switch {
	case errors.Is(err, mysql.ErrUnknownPlugin), errors.Is(err, mysql.ErrOldPassword), errors.Is(err, mysql.ErrOldProtocol):
		return fmt.Sprintf("user %q logs in by a method that this program does not know: use caching_sha2_password, mysql_native_password or ed25519 for it", cfg.User)
	case errors.Is(err, mysql.ErrCleartextPassword):
		return "the server wants the password in clear text: connect with tls=true and allowCleartextPasswords=true in --dsn"
	case errors.As(err, &name):
		return fmt.Sprintf("the host name %q has no address: check DB_HOST", name.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there: is the server running, and are host and port right"
	case errors.Is(err, fs.ErrNotExist):
		return "this socket does not exist: is the server running, and is the path right"
	case errors.Is(err, fs.ErrPermission):
		return "this process may not open the socket: check its file permissions"
	case Lost(err):
		return "the server did not answer: is it a MySQL server, and does a firewall stand between"
	}
	return ""
}
