package sqlconn

import (
	"strconv"
	"time"

	sq "github.com/Masterminds/squirrel"
)

// kind is how a replica follows the primary, which decides how to compare their
// positions. Positions rather than SHOW REPLICA STATUS: they need no privilege,
// count what is committed instead of what the replica happens to have heard of,
// and go on working when replication has stopped.
type kind string

const (
	// mariadbGTID: what has been applied is in @@gtid_slave_pos.
	mariadbGTID kind = "MariaDB GTID"
	// mysqlGTID: what has been applied or committed is in @@gtid_executed.
	mysqlGTID kind = "MySQL GTID"
	// galera: the nodes of a cluster number its transactions alike.
	galera kind = "Galera"
)

// variable has the transactions that a server has, by their ids; "" where a replica
// can be waited for without knowing them.
func (k kind) variable() string {
	switch k {
	case mariadbGTID:
		return "@@global.gtid_current_pos"
	case mysqlGTID:
		return "@@global.gtid_executed"
	}
	return ""
}

// await asks a replica for 1 when it has reached a position, after a time at most.
func (k kind) await(position string, limit time.Duration) sq.Sqlizer {
	seconds := strconv.FormatFloat(limit.Seconds(), 'f', 3, 64)
	switch k {
	case mariadbGTID: // 0: reached, -1: not in time
		return sq.Select().Column(sq.Expr("MASTER_GTID_WAIT(?, "+seconds+") = 0", position))
	case mysqlGTID: // 0: reached, 1: not in time
		return sq.Select().Column(sq.Expr("WAIT_FOR_EXECUTED_GTID_SET(?, "+seconds+") = 0", position))
	}
	// The node waits for what the cluster has committed by now.
	return sq.Select("1").Prefix("SET STATEMENT wsrep_sync_wait = 1, max_statement_time = " + seconds + " FOR")
}

// applied asks a replica, for each position, for 1 when it has reached it.
func (k kind) applied(positions []string) sq.SelectBuilder {
	ask := sq.Select()
	for _, p := range positions {
		if k == mysqlGTID {
			ask = ask.Column(sq.Expr("GTID_SUBSET(?, @@global.gtid_executed)", p))
		} else {
			ask = ask.Column(sq.Expr("MASTER_GTID_WAIT(?, 0) = 0", p))
		}
	}
	return ask
}
