package systemtest

import (
	"os"
	"testing"
)

// TestCoherenceOnGalera runs TestCoherence on a node of a cluster.
func TestCoherenceOnGalera(t *testing.T) {
	if os.Getenv("CALBRIDGE_COHERENCE_FOR") == "" {
		t.Skip("set CALBRIDGE_COHERENCE_FOR=3s to run it")
	}
	nodes := startGalera(t, 3)
	nodes[0].Exec("CREATE DATABASE calendar CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci",
		"GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO site@'%'")
	newCoherentSite(t, nodes[0].DSN("calendar"), 300).judge(t, coherenceTime())
}
