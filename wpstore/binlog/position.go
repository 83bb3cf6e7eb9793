package binlog

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Flavor is the kind of a server.
type Flavor string

// The flavors, which differ in their GTIDs.
const (
	MariaDB Flavor = "mariadb"
	MySQL   Flavor = "mysql"
)

// Identity is the SQL expression for a text that tells a server from all others.
func (f Flavor) Identity() string {
	if f == MySQL {
		return "@@global.server_uuid"
	}
	return "CONCAT_WS(' ', @@global.server_id, @@hostname, @@port)" // nodes of a cluster may share the first
}

// Position says which transactions are behind: all that a stream has returned, or
// a server has committed. Positions are values: no method changes one.
type Position interface {
	// Contains says whether all of another position of the same flavor is behind.
	Contains(Position) bool
	// Merge is both together.
	Merge(Position) Position
	// String is as the server writes it in @@gtid_binlog_pos or @@gtid_executed.
	String() string
}

// ParsePosition reads what the server writes in @@gtid_binlog_pos (MariaDB) or
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

// gtid names a transaction on MariaDB.
type gtid struct {
	domain, server uint32
	sequence       uint64
}

func (g gtid) String() string { return fmt.Sprintf("%d-%d-%d", g.domain, g.server, g.sequence) }

// domains is a position of MariaDB: the last transaction of each domain, whose
// sequence numbers grow.
type domains map[uint32]gtid

func parseDomains(text string) (domains, error) {
	out := domains{}
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		fields := strings.Split(part, "-")
		if len(fields) != 3 {
			return nil, fmt.Errorf("%q is not a GTID of MariaDB", part)
		}
		domain, err1 := strconv.ParseUint(fields[0], 10, 32)
		server, err2 := strconv.ParseUint(fields[1], 10, 32)
		sequence, err3 := strconv.ParseUint(fields[2], 10, 64)
		if err1 != nil || err2 != nil || err3 != nil {
			return nil, fmt.Errorf("%q is not a GTID of MariaDB", part)
		}
		g := gtid{uint32(domain), uint32(server), sequence}
		if last, seen := out[g.domain]; !seen || last.sequence < sequence {
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
