package check

import (
	"errors"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sqlconn"
)

func TestReplicaFindings(t *testing.T) {
	found := sqlconn.ReplicaFinding{Name: "replica1", Addr: "db2:3306", By: "MariaDB GTID", CaughtUp: true, Waited: 3 * time.Millisecond}
	for _, c := range []struct {
		change func(*sqlconn.ReplicaFinding)
		status Status
		found  string
	}{
		{func(*sqlconn.ReplicaFinding) {}, StatusOK, "db2:3306, by MariaDB GTID: caught up within 3ms"},
		{func(f *sqlconn.ReplicaFinding) { f.Writable = true }, StatusWarn, "can be written"},
		{func(f *sqlconn.ReplicaFinding) { f.CaughtUp = false }, StatusWarn, "has not caught up"},
		{func(f *sqlconn.ReplicaFinding) { f.ReadErr = errors.New("denied") }, StatusWarn, "cannot be read: denied"},
		{func(f *sqlconn.ReplicaFinding) { f.Problem = "it is the primary itself" }, StatusWarn, "is the primary itself"},
		{func(f *sqlconn.ReplicaFinding) { f.Err = errors.New("nothing listens there") }, StatusWarn, "nothing listens there"},
		{func(f *sqlconn.ReplicaFinding) { f.PrimaryErr = errors.New("gone") }, StatusWarn, "cannot be compared with the primary: gone"},
	} {
		f := found
		c.change(&f)
		var r Report
		replica(&r, f)
		got := finding(t, r, "database.replica1")
		if got.Status != c.status || !strings.Contains(got.Found, c.found) || (got.Advice == "") != (c.status == StatusOK) {
			t.Errorf("%+v, want %+v", got, c)
		}
	}
}
