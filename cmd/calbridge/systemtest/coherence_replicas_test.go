package systemtest

import (
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// TestCoherenceOnReplicas runs TestCoherence with caches that are filled from replicas, which
// follow while rows change.
func TestCoherenceOnReplicas(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	t.Parallel()
	primary, replicas := wptest.StartReplication(t, 2)
	primary.Exec("CREATE DATABASE calendar CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci",
		"GRANT REPLICATION SLAVE, BINLOG MONITOR, REPLICATION MASTER ADMIN ON *.* TO site@'%'")
	s := newCoherentSite(t, primary.DSN("calendar"), 300)
	for _, n := range replicas {
		n.CatchUp(primary)
		s.replicas = append(s.replicas, n.DSN("calendar"))
	}
	before := time.Now()
	s.judge(t, 3*coherenceTime())
	t.Logf("%d statements on replicas within %s", s.onReplica.Load(), time.Since(before).Round(time.Second))
	if s.onReplica.Load() < enoughOnReplicas {
		t.Error("the replicas were hardly asked")
	}
}
