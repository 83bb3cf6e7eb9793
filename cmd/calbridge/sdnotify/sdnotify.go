// Package sdnotify tells systemd how the service fares (the protocol of sd_notify).
// It imports nothing of calbridge.
package sdnotify

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// Notifier sends to the datagram socket that systemd names in NOTIFY_SOCKET.
// Without one it sends nothing.
type Notifier struct{ socket string }

// New returns the Notifier of the environment.
func New(getenv func(string) string) Notifier {
	return Notifier{getenv("NOTIFY_SOCKET")}
}

// Send sends lines such as READY=1. The error is for the log: a service runs no
// worse for a supervisor that does not listen.
func (n Notifier) Send(lines ...string) error {
	if n.socket == "" {
		return nil
	}
	name := n.socket
	if strings.HasPrefix(name, "@") { // a name in Linux's abstract namespace
		name = "\x00" + name[1:]
	}
	conn, err := net.DialTimeout("unixgram", name, time.Second)
	if err != nil {
		return fmt.Errorf("notify the service manager: %w", err)
	}
	defer conn.Close()
	_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
	if _, err := conn.Write([]byte(strings.Join(lines, "\n"))); err != nil {
		return fmt.Errorf("notify the service manager: %w", err)
	}
	return nil
}
