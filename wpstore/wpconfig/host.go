package wpconfig

import (
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
)

// localSockets are the usual paths of the server's socket. For localhost, PHP connects to a
// socket rather than over the network.
var localSockets = []string{
	"/run/mysqld/mysqld.sock", "/var/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock",
}

const (
	localhost   = "localhost"
	defaultPort = 3306
)

// host is a parsed DB_HOST.
type host struct {
	name   string // without brackets; "" is localhost
	port   uint64 // 0 means the default port
	socket string // "" means the default socket
}

// parseHost parses the forms of DB_HOST: host, host:port, host:/socket, host:port:/socket,
// :port, :/socket, /socket, and an IPv6 address in brackets or bare. A prefix p: requests a
// persistent connection from PHP.
func parseHost(text string) (h host) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "p:")
	if at := strings.Index(":"+text, ":/"); at >= 0 {
		text, h.socket = strings.TrimSuffix(text[:at], ":"), text[at:]
	}
	var port string
	switch bracketed, inBrackets := strings.CutPrefix(text, "["); {
	case inBrackets:
		h.name, port, _ = strings.Cut(bracketed, "]")
		port = strings.TrimPrefix(port, ":")
	case strings.Count(text, ":") > 1: // an IPv6 address
		h.name = text
	default:
		h.name, port, _ = strings.Cut(text, ":")
	}
	digits := len(port) - len(strings.TrimLeft(port, "0123456789"))
	h.port, _ = strconv.ParseUint(port[:digits], 10, 16)
	if strings.EqualFold(h.name, localhost) {
		h.name = ""
	}
	return h
}

// dial returns the address to connect to. As in PHP, only localhost has sockets, and the
// default socket is used even if the default port is given. With another port, it connects to
// that port, because the usual sockets belong to the server on the default port. exists
// reports whether there is a socket.
func (h host) dial(exists func(path string) bool) (network, address string) {
	name, port := h.name, h.port
	if port == 0 {
		port = defaultPort
	}
	if name == "" {
		if h.socket != "" {
			return "unix", h.socket
		}
		if i := slices.IndexFunc(localSockets, exists); i >= 0 && port == defaultPort {
			return "unix", localSockets[i]
		}
		name = "127.0.0.1"
	}
	return "tcp", net.JoinHostPort(name, strconv.FormatUint(port, 10))
}

// serverName returns the name that the server's certificate must have.
func (h host) serverName() string {
	if h.name == "" {
		return localhost
	}
	return h.name
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
