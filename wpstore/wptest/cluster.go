package wptest

import (
	"fmt"
	"testing"
)

// Follow makes the server a read-only replica of another, by GTID.
func (n *Node) Follow(primary *Node) {
	n.t.Helper()
	n.Exec("STOP SLAVE", "SET GLOBAL read_only = 1",
		fmt.Sprintf("CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = %d, MASTER_USER = 'root', MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1", primary.Port),
		"START SLAVE")
}

// Promote makes a replica the primary.
func (n *Node) Promote() {
	n.t.Helper()
	n.Exec("STOP SLAVE", "RESET SLAVE ALL", "SET GLOBAL read_only = 0")
}

// CatchUp waits until a replica has everything that its primary has now.
func (n *Node) CatchUp(primary *Node) {
	n.t.Helper()
	position, err := primary.Text("SELECT @@gtid_binlog_pos")
	if err != nil {
		n.t.Fatal(err)
	}
	n.Await("SELECT MASTER_GTID_WAIT('"+position+"', 10)", "0")
}

// FailOver makes the first replica the primary and the others its replicas, like a
// fail-over tool: no more writes, wait, promote.
func FailOver(primary *Node, replicas []*Node) {
	primary.t.Helper()
	primary.Exec("SET GLOBAL read_only = 1")
	for _, n := range replicas {
		n.CatchUp(primary)
	}
	replicas[0].Promote()
	for _, n := range replicas[1:] {
		n.Follow(replicas[0])
	}
}

// StartReplication starts a primary with replicas.
func StartReplication(t testing.TB, replicas int) (primary *Node, followers []*Node) {
	t.Helper()
	ForMariaDB(t, "statement CHANGE MASTER … MASTER_USE_GTID")
	primary = startNode(t, 1, "--log-slave-updates")
	primary.MakeUser()
	for i := range replicas {
		n := startNode(t, i+2, "--log-slave-updates")
		n.Follow(primary)
		followers = append(followers, n)
	}
	return primary, followers
}
