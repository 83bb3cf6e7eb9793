package dialect

import (
	"strconv"
	"time"

	sq "github.com/Masterminds/squirrel"
)

// Kind is how a replica follows the primary, which decides how to compare their
// positions. Unlike SHOW REPLICA STATUS, positions need no privilege, count what is
// committed instead of what has arrived, and work when replication has stopped.
type Kind string

// The kinds.
const (
	// MariaDBGTID: what has been applied is in @@gtid_slave_pos.
	MariaDBGTID Kind = "MariaDB GTID"
	// MySQLGTID: what has been applied or committed is in @@gtid_executed.
	MySQLGTID Kind = "MySQL GTID"
	// Galera: the nodes of a cluster number its transactions alike.
	Galera Kind = "Galera"
)

// Variable names the variable with the GTIDs of the transactions that a server has; "" where waiting for
// a replica does not need them.
func (k Kind) Variable() string {
	switch k {
	case MariaDBGTID:
		return "@@global.gtid_current_pos"
	case MySQLGTID:
		return "@@global.gtid_executed"
	}
	return ""
}

// Await returns a query for 1 once a replica has reached a position, after a time at most.
func (k Kind) Await(position string, limit time.Duration) sq.Sqlizer {
	seconds := strconv.FormatFloat(limit.Seconds(), 'f', 3, 64)
	switch k {
	case MariaDBGTID: // 0: reached, -1: not in time
		return sq.Select().Column(sq.Expr("MASTER_GTID_WAIT(?, "+seconds+") = 0", position))
	case MySQLGTID: // 0: reached, 1: not in time
		return sq.Select().Column(sq.Expr("WAIT_FOR_EXECUTED_GTID_SET(?, "+seconds+") = 0", position))
	}
	// The node waits for what the cluster has committed by now.
	return sq.Select("1").Prefix("SET STATEMENT wsrep_sync_wait = 1, max_statement_time = " + seconds + " FOR")
}

// Applied returns a query that has 1 for each position that a replica has reached.
func (k Kind) Applied(positions []string) sq.SelectBuilder {
	reached := "MASTER_GTID_WAIT(?, 0) = 0"
	if k == MySQLGTID {
		reached = "GTID_SUBSET(?, @@global.gtid_executed)"
	}
	query := sq.Select()
	for _, p := range positions {
		query = query.Column(sq.Expr(reached, p))
	}
	return query
}
