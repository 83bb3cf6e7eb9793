package sqlconn

import (
	"context"
	"database/sql"
	"fmt"
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

// position is how far a server is, in every way that it tells.
type position struct {
	gtid    string // "" where there is none
	cluster string // the id of its Galera cluster, "" outside of one
	seqno   int64  // within the cluster
}

// Node is what a server says of itself.
type Node struct {
	position
	ID       string // of the server
	ReadOnly bool
	// OutOfStep is why a node of a Galera cluster cannot be used, "" when it can.
	OutOfStep string
}

// AskNode asks a server for its state.
func AskNode(ctx context.Context, on Querier, d Dialect) (Node, error) {
	var n Node
	err := ask(ctx, on, "replica.node", sq.Select(d.kind().variable(), d.Flavor().Identity(), "@@global.read_only"), func(rows *sql.Rows) error {
		return rows.Scan(&n.gtid, &n.ID, &n.ReadOnly)
	})
	if err != nil || !d.clusters() {
		return n, err
	}
	status := map[string]string{}
	err = ask(ctx, on, "replica.cluster", sq.Select("LOWER(VARIABLE_NAME)", "VARIABLE_VALUE").From("information_schema.GLOBAL_STATUS").Where(sq.Eq{
		"VARIABLE_NAME": []string{"WSREP_CONNECTED", "WSREP_CLUSTER_STATE_UUID", "WSREP_LAST_COMMITTED", "WSREP_LOCAL_STATE", "WSREP_CLUSTER_STATUS", "WSREP_READY"},
	}), func(rows *sql.Rows) error {
		var name, value string
		err := rows.Scan(&name, &value)
		status[name] = value
		return err
	})
	if err != nil || status["wsrep_cluster_state_uuid"] == "" {
		return n, err // without Galera there is no such row
	}
	n.cluster = status["wsrep_cluster_state_uuid"]
	n.seqno, _ = strconv.ParseInt(status["wsrep_last_committed"], 10, 64)
	const synced = "4"
	if status["wsrep_cluster_status"] != "Primary" || status["wsrep_ready"] != "ON" || status["wsrep_local_state"] != synced {
		n.OutOfStep = fmt.Sprintf("the node is not in step with its cluster (cluster status %s, local state %s)", status["wsrep_cluster_status"], status["wsrep_local_state"])
	}
	return n, nil
}

// follows says how a server that is in a state n can follow the primary; "" and a
// reason when that cannot be told.
func (n Node) follows(primary Node, d Dialect) (kind, string) {
	switch {
	case n.ID == primary.ID && n.cluster == "":
		return "", "it is the primary itself"
	case n.cluster != "" && n.cluster == primary.cluster:
		return galera, n.OutOfStep
	case primary.gtid == "":
		return "", "the primary has no GTIDs to compare: it needs a binary log, MySQL gtid_mode = ON too"
	}
	return d.kind(), ""
}

// Replicates says whether a server applies what others have written.
func Replicates(ctx context.Context, on Querier, d Dialect) (bool, error) {
	var name, running string
	err := ask(ctx, on, "replica.running", d.running(), func(rows *sql.Rows) error { return rows.Scan(&name, &running) })
	return running != "" && running != "0", err
}

// ask runs a statement of the watching, outside of the counted and queued ones.
func ask(ctx context.Context, on Querier, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	s, err := Build(name, b)
	if err != nil {
		return err
	}
	return selecting(ctx, on, s, scan)
}
