package main

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// notifier tells systemd how the service fares, over the datagram socket that
// systemd names in NOTIFY_SOCKET (the protocol of sd_notify). Without one it tells
// nobody.
type notifier struct{ socket string }

func newNotifier(getenv func(string) string) notifier {
	return notifier{getenv("NOTIFY_SOCKET")}
}

// tell sends lines such as READY=1. Nobody waits for the outcome: a service runs
// no worse for a supervisor that does not listen, so the error is for the log.
func (n notifier) tell(lines ...string) error {
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
