package sqlconn

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/binlog"
)

// position is how far a server is, by each measure that it has.
type position struct {
	gtid    string // "" where there is none
	cluster string // the id of its Galera cluster, "" outside of one
	seqno   int64  // within the cluster
}

// Node is the state of a server.
type Node struct {
	position
	ID       string // of the server
	ReadOnly bool
	// OutOfStep is why a node of a Galera cluster cannot be used, "" when it can.
	OutOfStep string
}

// RoleExpression is the SQL expression that [IsReadOnly] reads. The readers of Aurora
// have innodb_read_only alone.
const RoleExpression = "CONCAT(@@global.read_only, ' ', @@global.innodb_read_only)"

// IsReadOnly reports whether a server takes no writes, from the value of
// [RoleExpression]. Servers write 0 and 1; MariaDB 12 writes OFF, ON, and how far
// administrators are bound.
func IsReadOnly(role string) bool {
	for _, value := range strings.Fields(role) {
		if value != "0" && !strings.EqualFold(value, "OFF") {
			return true
		}
	}
	return false
}

// AskNode reads the state of a server.
func AskNode(ctx context.Context, on Querier, d Dialect) (Node, error) {
	var n Node
	err := ask(ctx, on, "replica.node", sq.Select(d.kind().variable(), d.Flavor().Identity(), RoleExpression), func(rows *sql.Rows) error {
		var role string
		err := rows.Scan(&n.gtid, &n.ID, &role)
		n.ReadOnly = IsReadOnly(role)
		return err
	})
	if err != nil || d.Flavor() != binlog.MariaDB { // only that may be a node of Galera
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

// follows says how a server in state n follows the primary; if that is unknown, "" and
// why.
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
