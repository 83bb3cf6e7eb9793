package check

import (
	"errors"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sqlconn/server"
)

// TestReplicaFindings: what is said of a replica, and advised where something is to be
// done.
func TestReplicaFindings(t *testing.T) {
	away := errors.New("nothing listens there")
	good := server.ReplicaFinding{Name: "replica1", Addr: "db2:3306", By: "MariaDB GTID", CaughtUp: true, Waited: 2 * time.Millisecond}
	with := func(change func(*server.ReplicaFinding)) server.ReplicaFinding {
		f := good
		change(&f)
		return f
	}
	for _, c := range []struct {
		finding server.ReplicaFinding
		status  Status
		found   string
	}{
		{good, StatusOK, "db2:3306, compared by MariaDB GTID: caught up within 2ms"},
		{with(func(f *server.ReplicaFinding) { f.Writable = true }), StatusWarn, "is writable"},
		{with(func(f *server.ReplicaFinding) { f.CaughtUp = false }), StatusWarn, "has not caught up"},
		{with(func(f *server.ReplicaFinding) { f.Problem = "it is the primary itself" }), StatusWarn, "is the primary itself"},
		{with(func(f *server.ReplicaFinding) { f.ReadErr = away }), StatusWarn, "cannot be read"},
		{with(func(f *server.ReplicaFinding) { f.Err = away }), StatusWarn, "nothing listens there"},
		{with(func(f *server.ReplicaFinding) { f.PrimaryErr = away }), StatusWarn, "cannot be compared with the primary"},
	} {
		var r Report
		r.replica(c.finding)
		if len(r) != 1 {
			t.Fatalf("%+v: %d findings", c.finding, len(r))
		}
		f := r[0]
		if f.Name != "database.replica1" || f.Status != c.status || !strings.Contains(f.Found, c.found) || (f.Advice == "") != (c.status == StatusOK) {
			t.Errorf("%+v, want %s %q", f, c.status, c.found)
		}
	}
}
