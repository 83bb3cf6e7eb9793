package wptest

import (
	"fmt"
	"os"
	"strings"
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

// CatchUp waits until a replica has all that its primary has by now.
func (n *Node) CatchUp(primary *Node) {
	n.t.Helper()
	position, err := primary.Text("SELECT @@gtid_binlog_pos")
	if err != nil {
		n.t.Fatal(err)
	}
	n.Await("SELECT MASTER_GTID_WAIT('"+position+"', 10)", "0")
}

// FailOver makes the first replica the primary and lets the others follow it, as a
// tool for fail-overs does: no more writes, wait, promote.
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
	primary = startNode(t, 1, "--log-slave-updates")
	primary.makeUser()
	for i := range replicas {
		n := startNode(t, i+2, "--log-slave-updates")
		n.Follow(primary)
		followers = append(followers, n)
	}
	return primary, followers
}

// galeraProvider is where Debian's galera-4 has its library.
const galeraProvider = "/usr/lib/galera/libgalera_smm.so"

// StartGalera starts a cluster of nodes, all of which can be written.
func StartGalera(t testing.TB, size int) []*Node {
	t.Helper()
	if _, err := os.Stat(galeraProvider); err != nil {
		skipOrFail(t, fmt.Errorf("the package galera-4 is not installed: %w", err))
	}
	ports := make([]int, size)
	var addresses []string
	for i := range ports {
		ports[i] = FreePort(t)
		addresses = append(addresses, fmt.Sprintf("127.0.0.1:%d", ports[i]))
	}
	nodes := make([]*Node, size)
	for i := range nodes {
		nodes[i] = prepareNode(t, i+1,
			"--wsrep-on=ON", "--wsrep-provider="+galeraProvider, "--wsrep-cluster-name=calbridge",
			"--wsrep-cluster-address=gcomm://"+strings.Join(addresses, ","),
			"--wsrep-node-address=127.0.0.1", fmt.Sprintf("--wsrep-node-name=node%d", i+1),
			"--wsrep-sst-method=rsync", fmt.Sprintf("--wsrep-sst-receive-address=127.0.0.1:%d", FreePort(t)),
			// A node that has died is given up after two seconds instead of five.
			fmt.Sprintf("--wsrep-provider-options=gcache.size=64M;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.keepalive_period=PT0.5S;gmcast.listen_addr=tcp://%s;base_port=%d;ist.recv_addr=127.0.0.1:%d", addresses[i], ports[i], FreePort(t)),
		)
	}
	nodes[0].Start("--wsrep-new-cluster")
	nodes[0].InStep()
	nodes[0].makeUser()
	for _, n := range nodes[1:] {
		n.Start()
	}
	for _, n := range nodes[1:] {
		n.InStep()
	}
	return nodes
}

// InStep waits until a node of a cluster has all that the others have.
func (n *Node) InStep() {
	n.t.Helper()
	n.Await("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'WSREP_LOCAL_STATE_COMMENT'", "Synced")
}
