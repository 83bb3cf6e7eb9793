package sqlconn

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	sq "github.com/Masterminds/squirrel"
)

// kind is how a replica follows the primary, which decides how to compare their
// positions. Unlike SHOW REPLICA STATUS, positions need no privilege, count what is
// committed instead of what has arrived, and work when replication has stopped.
type kind string

const (
	// mariadbGTID: what has been applied is in @@gtid_slave_pos.
	mariadbGTID kind = "MariaDB GTID"
	// mysqlGTID: what has been applied or committed is in @@gtid_executed.
	mysqlGTID kind = "MySQL GTID"
	// galera: the nodes of a cluster number its transactions alike.
	galera kind = "Galera"
)

// variable has the GTIDs of the transactions that a server has; "" where waiting for
// a replica does not need them.
func (k kind) variable() string {
	switch k {
	case mariadbGTID:
		return "@@global.gtid_current_pos"
	case mysqlGTID:
		return "@@global.gtid_executed"
	}
	return ""
}

// caughtUp waits until a replica has reached a position, for a time at most, and says
// whether it has.
func (k kind) caughtUp(ctx context.Context, on Querier, name, position string, limit time.Duration) (bool, error) {
	var reached sql.NullInt64
	err := ask(ctx, on, name, k.await(position, limit), func(rows *sql.Rows) error { return rows.Scan(&reached) })
	return reached.Int64 == 1, err
}

// await is a query for 1 once a replica has reached a position, after a time at most.
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

// applied is a query that has 1 for each position that a replica has reached.
func (k kind) applied(positions []string) sq.SelectBuilder {
	reached := "MASTER_GTID_WAIT(?, 0) = 0"
	if k == mysqlGTID {
		reached = "GTID_SUBSET(?, @@global.gtid_executed)"
	}
	query := sq.Select()
	for _, p := range positions {
		query = query.Column(sq.Expr(reached, p))
	}
	return query
}
