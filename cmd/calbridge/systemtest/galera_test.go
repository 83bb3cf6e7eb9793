package systemtest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"calbridge/wpstore/wptest"
)

// galeraProvider is the path of the library of Debian's package galera-4.
const galeraProvider = "/usr/lib/galera/libgalera_smm.so"

// startGalera starts a cluster of nodes, all of which can be written.
func startGalera(t testing.TB, size int) []*wptest.Node {
	t.Helper()
	wptest.ForMariaDB(t, "Galera provider in Debian")
	if _, err := os.Stat(galeraProvider); err != nil {
		wptest.SkipOrFail(t, fmt.Errorf("the package galera-4 is not installed: %w", err))
	}
	ports := make([]int, size)
	var addresses []string
	for i := range ports {
		ports[i] = wptest.FreePort(t)
		addresses = append(addresses, fmt.Sprintf("127.0.0.1:%d", ports[i]))
	}
	nodes := make([]*wptest.Node, size)
	for i := range nodes {
		nodes[i] = wptest.PrepareNode(t, i+1,
			"--log-slave-updates", "--wsrep-on=ON", "--wsrep-provider="+galeraProvider, "--wsrep-cluster-name=calbridge",
			"--wsrep-cluster-address=gcomm://"+strings.Join(addresses, ","),
			"--wsrep-node-address=127.0.0.1", fmt.Sprintf("--wsrep-node-name=node%d", i+1),
			"--wsrep-sst-method=rsync", fmt.Sprintf("--wsrep-sst-receive-address=127.0.0.1:%d", wptest.FreePort(t)),
			// A node that has died is given up after two seconds instead of five.
			fmt.Sprintf("--wsrep-provider-options=gcache.size=64M;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.keepalive_period=PT0.5S;gmcast.listen_addr=tcp://%s;base_port=%d;ist.recv_addr=127.0.0.1:%d", addresses[i], ports[i], wptest.FreePort(t)),
		)
	}
	nodes[0].Start("--wsrep-new-cluster")
	inStep(nodes[0])
	nodes[0].MakeUser()
	for _, n := range nodes[1:] {
		n.Start()
	}
	for _, n := range nodes[1:] {
		inStep(n)
	}
	return nodes
}

// inStep waits until a node of a cluster has caught up with all others.
func inStep(n *wptest.Node) {
	n.Await("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'WSREP_LOCAL_STATE_COMMENT'", "Synced")
}
