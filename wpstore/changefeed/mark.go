package changefeed

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
)

// mark is where to resume: a position in a server's log, or nil if none is known. Positions
// of different servers can't be compared.
type mark struct {
	server   string
	position binlog.Position
	// last identifies the last transaction up to the position, and before is the position
	// before it; "" and nil while none has arrived. The log is read from there. If the same
	// transaction arrives again, it is the log that was read before. Otherwise the server
	// was set back and has reused the same GTIDs.
	before binlog.Position
	last   string
	// stored is set if the mark comes from an earlier process, or from before the site was
	// reloaded.
	stored bool
}

// from returns the position after which the log is read; nil for now.
func (m mark) from() binlog.Position {
	if m.last != "" {
		return m.before
	}
	return m.position
}

// after reports whether a mark is further on than another.
func (m mark) after(before mark) bool {
	return m.position != nil && (before.position == nil || !before.position.Contains(m.position))
}

// resumable returns the mark at which to resume after an error; none if the server can't
// send the log from there.
func (m mark) resumable(err error) mark {
	const positionLost = 1236
	var refused *mysql.MySQLError
	if errors.Is(err, errWentBack) || errors.Is(err, errCrashed) || errors.Is(err, ErrNotPrimary) || errors.As(err, &refused) && refused.Number == positionLost {
		return mark{}
	}
	return m
}

// identityOf returns a text that distinguishes a transaction from any other, even one with
// the same GTID: on a server that was set back, its place in the files or its time is
// different.
func identityOf(c *binlog.Commit) string {
	return fmt.Sprintf("%s %s:%d %d", c.GTID, c.End.File, c.End.Position, c.Committed.Unix())
}

// markText is a mark in JSON.
type markText struct{ Flavor, Server, Position, Before, Last string }

// MarshalText implements encoding.TextMarshaler. The text is empty for a mark at which no
// other process could resume, since nothing would show that the log is the same.
func (m mark) MarshalText() ([]byte, error) {
	if m.last == "" {
		return nil, nil
	}
	t := markText{string(binlog.MariaDB), m.server, m.position.String(), m.before.String(), m.last}
	if binlog.IsMySQL(m.position) {
		t.Flavor = string(binlog.MySQL)
	}
	return json.Marshal(t)
}

// parseMark parses the text of a mark for a server of a flavor. The result has no position
// if the text is another server's, or damaged.
func parseMark(text []byte, flavor binlog.Flavor) mark {
	var t markText
	if len(text) == 0 || json.Unmarshal(text, &t) != nil || t.Flavor != string(flavor) || t.Last == "" {
		return mark{}
	}
	position, err := binlog.ParsePosition(flavor, t.Position)
	if err != nil {
		return mark{}
	}
	before, err := binlog.ParsePosition(flavor, t.Before)
	if err != nil {
		return mark{}
	}
	return mark{server: t.Server, position: position, before: before, last: t.Last, stored: true}
}
