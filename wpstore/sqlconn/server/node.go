package server

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn/dialect"
)

// Position is how far a server is, by each measure that it has.
type Position struct {
	GTID    string // "" where there is none
	Cluster string // the id of its Galera cluster, "" outside of one
	Seqno   int64  // within the cluster
}

// Node is the state of a server.
type Node struct {
	Position
	ID       string // of the server
	ReadOnly bool
	// sharesStorage: it reads the files that another server writes, as Aurora's readers do.
	sharesStorage bool
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

// ReadNode reads the state of a server.
func ReadNode(ctx context.Context, on Querier, d dialect.Dialect) (Node, error) {
	var n Node
	err := Ask(ctx, on, "replica.node", sq.Select(d.Kind().Variable(), d.Identity(), RoleExpression), func(rows *sql.Rows) error {
		var role string
		err := rows.Scan(&n.GTID, &n.ID, &role)
		n.ReadOnly = IsReadOnly(role)
		_, storage, _ := strings.Cut(role, " ")
		n.sharesStorage = IsReadOnly(storage)
		return err
	})
	if err != nil || d.Kind() != dialect.MariaDBGTID { // only that may be a node of Galera
		return n, err
	}
	status := map[string]string{}
	err = Ask(ctx, on, "replica.cluster", sq.Select("LOWER(VARIABLE_NAME)", "VARIABLE_VALUE").From("information_schema.GLOBAL_STATUS").Where(sq.Eq{
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
	n.Cluster = status["wsrep_cluster_state_uuid"]
	n.Seqno, _ = strconv.ParseInt(status["wsrep_last_committed"], 10, 64)
	const synced = "4"
	if status["wsrep_cluster_status"] != "Primary" || status["wsrep_ready"] != "ON" || status["wsrep_local_state"] != synced {
		n.OutOfStep = fmt.Sprintf("the node is not in step with its cluster (cluster status %s, local state %s)", status["wsrep_cluster_status"], status["wsrep_local_state"])
	}
	return n, nil
}

// Follows returns how a server in state n follows the primary; if that is unknown, "" and
// why.
func (n Node) Follows(primary Node, d dialect.Dialect) (dialect.Kind, string) {
	switch {
	case n.sharesStorage:
		return "", "innodb_read_only is ON: a reader that shares the primary's storage, as Aurora's do, has no position of its own to wait for"
	case n.ID == primary.ID && n.Cluster == "":
		return "", "it is the primary itself"
	case n.Cluster != "" && n.Cluster == primary.Cluster:
		return dialect.Galera, n.OutOfStep
	case primary.GTID == "":
		return "", "the primary has no GTIDs to compare: it needs a binary log, MySQL gtid_mode = ON too"
	}
	return d.Kind(), ""
}

// Replicates reports whether a server applies what others have written.
func Replicates(ctx context.Context, on Querier, d dialect.Dialect) (bool, error) {
	var name, running string
	err := Ask(ctx, on, "replica.running", d.Running(), func(rows *sql.Rows) error { return rows.Scan(&name, &running) })
	return running != "" && running != "0", err
}

// CaughtUp waits until a replica has reached a Position, for a time at most, and says
// whether it has.
func CaughtUp(ctx context.Context, on Querier, by dialect.Kind, name, position string, limit time.Duration) (bool, error) {
	var reached sql.NullInt64
	err := Ask(ctx, on, name, by.Await(position, limit), func(rows *sql.Rows) error { return rows.Scan(&reached) })
	return reached.Int64 == 1, err
}
