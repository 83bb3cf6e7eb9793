package sqlconn

import (
	"fmt"
	"strings"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn/server"
	"calbridge/wpstore/wptest"
)

func testCheckReplicas(t *testing.T, db *replicated, primary *wptest.Node, nodes []*wptest.Node) {
	nodes[1].Exec("SET GLOBAL read_only = 0")
	defer nodes[1].Exec("SET GLOBAL read_only = 1")
	stopped := wptest.StartNode(t)
	all := openReplicated(t, db.cfg.Database, func(cfg *Config) {
		cfg.Replicas = append(cfg.Replicas, wptest.Server(t, fmt.Sprintf("site:pass@tcp(127.0.0.1:%d)/calendar", wptest.FreePort(t))))
	}, nodes[0], nodes[1], primary, stopped)
	readable := sq.Select("option_id").From("wp_options").Limit(1)
	inspect := func(i int) server.ReplicaFinding { return all.InspectReplica(t.Context(), i, readable) }
	found := inspect(0)
	for end := time.Now().Add(patience); !found.CaughtUp && time.Now().Before(end); {
		found = inspect(0) // a second was not enough
	}
	if !found.CaughtUp || found.By != "MariaDB GTID" || found.Writable || found.Err != nil || found.ReadErr != nil || found.Problem != "" {
		t.Errorf("a good one: %+v", found)
	}
	if f := inspect(1); !f.Writable {
		t.Errorf("one that can be written: %+v", f)
	}
	if f := inspect(2); !strings.Contains(f.Problem, "is the primary itself") {
		t.Errorf("the primary: %+v", f)
	}
	if f := inspect(3); f.Err == nil || !strings.Contains(f.Err.Error(), "calendar") {
		t.Errorf("one without the database: %+v", f)
	}
	if f := inspect(4); f.Err == nil || !strings.Contains(f.Err.Error(), "connection refused") {
		t.Errorf("one that is not there: %+v", f)
	}
	for i := range 5 {
		if f := inspect(i); f.Name != fmt.Sprint("replica", i+1) || strings.Contains(fmt.Sprintf("%+v", f), ":pass@") {
			t.Errorf("%+v", f)
		}
	}
}
