package binlog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Flavor is the kind of a server.
type Flavor string

// The flavors, which differ in their GTIDs.
const (
	MariaDB Flavor = "mariadb"
	MySQL   Flavor = "mysql"
)

// Identity returns the SQL expression for a text that identifies a server.
func (f Flavor) Identity() string {
	if f == MySQL {
		return "@@global.server_uuid"
	}
	return "CONCAT_WS(' ', @@global.server_id, @@hostname, @@port)" // nodes of a cluster may share the first
}

// Position is a set of transactions: those that a stream has returned, or a server has
// committed. No method changes it.
type Position interface {
	// Contains reports whether it contains all transactions of another position of the same
	// flavor.
	Contains(Position) bool
	// Merge returns the union with another position.
	Merge(Position) Position
	// String returns the form in which the server writes it in @@gtid_binlog_pos or
	// @@gtid_executed.
	String() string
}

// ParsePosition parses what the server writes in @@gtid_binlog_pos (MariaDB) or
// @@gtid_executed (MySQL).
func ParsePosition(flavor Flavor, text string) (p Position, err error) {
	if flavor == MySQL {
		p, err = parseSets(text)
	} else {
		p, err = parseDomains(text)
	}
	if err != nil {
		return nil, fmt.Errorf("binlog: %w", err)
	}
	return p, nil
}

// IsMySQL reports whether a position is a MySQL position.
func IsMySQL(p Position) bool {
	_, ok := p.(sets)
	return ok
}

// gtid names a transaction on MariaDB.
type gtid struct {
	domain, server uint32
	sequence       uint64
}

func (g gtid) String() string { return fmt.Sprintf("%d-%d-%d", g.domain, g.server, g.sequence) }

// domains is a position of MariaDB: the last transaction of each domain. The sequence
// numbers of a domain only grow.
type domains map[uint32]gtid

func parseDomains(text string) (domains, error) {
	out := domains{}
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		var g gtid
		if _, err := fmt.Sscanf(part+"\n", "%d-%d-%d\n", &g.domain, &g.server, &g.sequence); err != nil {
			return nil, fmt.Errorf("%q is not a GTID of MariaDB: %w", part, err)
		}
		if last, seen := out[g.domain]; !seen || last.sequence < g.sequence {
			out[g.domain] = g
		}
	}
	return out, nil
}

// Contains implements [Position].
func (d domains) Contains(other Position) bool {
	o, ok := other.(domains)
	if !ok {
		return false
	}
	for domain, g := range o {
		if last, seen := d[domain]; !seen || last.sequence < g.sequence {
			return false
		}
	}
	return true
}

// Merge implements [Position].
func (d domains) Merge(other Position) Position {
	o, _ := other.(domains)
	out := maps.Clone(d)
	for domain, g := range o {
		if last, seen := out[domain]; !seen || last.sequence < g.sequence {
			out[domain] = g
		}
	}
	return out
}

func (d domains) String() string {
	parts := make([]string, 0, len(d))
	for _, domain := range slices.Sorted(maps.Keys(d)) {
		parts = append(parts, d[domain].String())
	}
	return strings.Join(parts, ",")
}
