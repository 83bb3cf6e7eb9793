package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
)

// unreachable is returned when a MySQL server cannot be reached. It matches
// [wpstore.ErrUnavailable] and its cause.
type unreachable struct {
	text  string
	cause error
}

// Error returns what is wrong and what to do.
func (e *unreachable) Error() string { return e.text }

// Unwrap returns the errors that e matches.
func (e *unreachable) Unwrap() []error { return []error{wpstore.ErrUnavailable, e.cause} }

// Advise returns an error that describes why a MySQL server could not be reached, and what to
// do about it. It never contains the password.
func Advise(cfg *mysql.Config, err error) error {
	text := Advice(cfg, err)
	var refusal *mysql.MySQLError
	var name *net.DNSError
	explained := errors.As(err, &name) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
	switch {
	case text == "":
		text = err.Error()
	case errors.As(err, &refusal):
		text += " (the server's message: " + refusal.Message + ")"
	case explained:
	case errors.As(err, new(*tls.CertificateVerificationError)):
		text += " (" + err.Error() + ")"
	case Lost(err):
		text += " (" + err.Error() + ")"
	}
	return &unreachable{"cannot connect to " + cfg.Addr + ": " + text, err}
}

// Advice returns why a server could not be reached and what to do about it, or "" if that is
// unknown.
func Advice(cfg *mysql.Config, err error) string {
	var serverErr *mysql.MySQLError
	if errors.As(err, &serverErr) {
		switch serverErr.Number {
		case 1045, 1698:
			return fmt.Sprintf("access denied for user %q: check the user and the password (DB_USER and DB_PASSWORD in wp-config.php), and that the user may connect from this host", cfg.User)
		case 1044:
			return fmt.Sprintf("user %q may not use database %q: grant it SELECT on the WordPress tables", cfg.User, cfg.DBName)
		case 1049:
			return fmt.Sprintf("there is no database %q on this server: check the name of the database (DB_NAME in wp-config.php)", cfg.DBName)
		case 1130:
			return "the server accepts no connections from this host: create the user for this host"
		case 1040, 1203, 1226:
			return "all its connections are taken: raise max_connections or lower the pool size of the clients"
		case 3159:
			return "the server takes connections with TLS only: add tls=true to --dsn, or tls=skip-verify if its certificate is its own; in wp-config.php, WordPress needs MYSQL_CLIENT_FLAGS with MYSQLI_CLIENT_SSL"
		case 3032:
			return "the server is in offline mode: SET GLOBAL offline_mode = OFF when its maintenance ends"
		}
		return ""
	}
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		return "the certificate of the server cannot be verified: install its authority on this machine, or encrypt without verification: tls=skip-verify in --dsn, or no MYSQLI_CLIENT_SSL_VERIFY_SERVER_CERT in wp-config.php"
	case errors.Is(err, mysql.ErrUnknownPlugin), errors.Is(err, mysql.ErrOldPassword), errors.Is(err, mysql.ErrOldProtocol):
		return fmt.Sprintf("user %q logs in by a method that this program does not know: use caching_sha2_password, mysql_native_password or ed25519 for it", cfg.User)
	case errors.Is(err, mysql.ErrCleartextPassword):
		return "the server wants the password in clear text: connect with tls=true and allowCleartextPasswords=true in --dsn"
	case errors.As(err, &name):
		return fmt.Sprintf("the host name %q has no address: check the host (DB_HOST in wp-config.php)", name.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused: check that the database is running, and that host and port are right"
	case errors.Is(err, fs.ErrNotExist):
		return "this socket does not exist: check that the database is running, and that the path is right"
	case errors.Is(err, fs.ErrPermission):
		return "this process may not open the socket: check its file permissions"
	case Lost(err):
		return "the server did not answer: check that it is a MySQL server, and that no firewall is in between"
	}
	return ""
}
