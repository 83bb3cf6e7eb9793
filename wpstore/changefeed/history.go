package changefeed

import (
	"errors"
	"fmt"
	"time"

	"calbridge/wpstore/binlog"
)

// stalledTimeout is how long the server may send nothing while it has transactions that
// were not sent.
const stalledTimeout = 5 * time.Second

// errWentBack is returned when a transaction arrives again, or when the server's numbering
// has started over.
var errWentBack = errors.New("the binary log went back")

// errCrashed is returned when the server crashed after what was applied. It may have lost
// transactions that it had confirmed, from its log or from its tables, if it doesn't write
// both through at each commit (sync_binlog, innodb_flush_log_at_trx_commit).
var errCrashed = errors.New("the server crashed, and its binary log does not end")

// errFar is returned when the log has too much since the position of an earlier process.
var errFar = errors.New("there is too much in the binary log to read since the last run")

// storedPatience is how long the log is read from the position of an earlier process before
// the feed follows from now instead. Nothing is cached until it has read everything.
const storedPatience = 10 * time.Second

// checkHistory returns [errWentBack] if a position of the server lacks what had been
// applied before the server was queried. After RESET MASTER, or when its data were
// replaced, a server still sends heartbeats over a connection that was open, but no
// transactions: the file that it reads for that connection has the name of a new file.
func checkHistory(applied, server binlog.Position) error {
	if applied != nil && !server.Contains(applied) {
		return fmt.Errorf("%w: %s has been applied, and the server is at %s", errWentBack, applied, server)
	}
	return nil
}

// stall measures how long a stream that is behind has received nothing.
type stall struct {
	events uint64
	at     time.Time
}

// since returns the time since something arrived, or since the stream was up to date.
func (s *stall) since(upToDate bool, events uint64, now time.Time) time.Duration {
	if upToDate || events != s.events || s.at.IsZero() {
		s.events, s.at = events, now
	}
	return now.Sub(s.at)
}
