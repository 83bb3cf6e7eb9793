package daemon

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// notifyTimeout limits the wait for a service manager that doesn't read.
const notifyTimeout = time.Second

// notify sends lines such as READY=1 to the datagram socket of the service manager
// (sd_notify(3)). Without a socket it does nothing. Callers only log its error.
func notify(socket string, lines ...string) error {
	if socket == "" {
		return nil
	}
	conn, err := net.DialTimeout("unixgram", socket, notifyTimeout) // also accepts abstract names (@name)
	if err == nil {
		defer conn.Close()
		_ = conn.SetWriteDeadline(time.Now().Add(notifyTimeout))
		_, err = conn.Write([]byte(strings.Join(lines, "\n")))
	}
	if err != nil {
		return fmt.Errorf("notify the service manager: %w", err)
	}
	return nil
}
