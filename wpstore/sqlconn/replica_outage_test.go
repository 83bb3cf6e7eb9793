package sqlconn

import (
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/server"
	"calbridge/wpstore/wptest"
)

func testHanging(t *testing.T, db *replicated, _ *wptest.Node, nodes []*wptest.Node) {
	nodes[0].Hang()
	defer nodes[0].Resume()
	var readers sync.WaitGroup
	start := time.Now()
	for range 30 { // some of them meet the one that hangs
		readers.Go(func() { db.mustRead(false, "new") })
	}
	readers.Wait()
	if took := time.Since(start); took > db.cfg.QueryTimeout {
		t.Errorf("reads took %s", took)
	}
	db.inUse("replica2")
	nodes[0].Resume()
	db.inUse("replica1", "replica2")
}

func testKilled(t *testing.T, db *replicated, primary *wptest.Node, nodes []*wptest.Node) {
	for _, n := range nodes {
		n.Kill()
		db.mustRead(false, "new")
		db.mustRead(true, "new")
	}
	db.inUse()
	db.answered()
	db.mustRead(false, "new")
	if got := db.answered(); got[PrimaryName] != 1 {
		t.Errorf("with no replica left: %v", got)
	}
	for _, n := range nodes {
		n.Start()
	}
	db.inUse("replica1", "replica2")
}

// testRefusing: a replica whose position is fine but that fails reads is left out for a
// while.
func testRefusing(t *testing.T, db *replicated, _ *wptest.Node, nodes []*wptest.Node) {
	for _, n := range nodes {
		n.Exec("SET GLOBAL max_connections = 10")
		defer n.Exec("SET GLOBAL max_connections = 151")
		hold := n.Open("")
		defer hold.Close()
		for range 11 {
			c, err := hold.Conn(t.Context())
			if err == nil {
				defer c.Close()
			}
		}
	}
	for _, r := range db.replicas {
		r.Pool.SetMaxIdleConns(-1) // so that the next read needs a connection
		r.Pool.SetMaxIdleConns(DefaultMaxOpen)
	}
	for _, r := range db.replicas {
		for end := time.Now().Add(patience); r.Service() != nil; {
			db.mustRead(false, "new")
			if time.Now().After(end) {
				t.Fatalf("%s stays in use", r.Name)
			}
		}
	}
}

func testPrimaryAway(t *testing.T, db *replicated, primary *wptest.Node, _ []*wptest.Node) {
	db.inUse("replica1", "replica2")
	primary.Kill()
	for range 3 {
		db.undisturbed(func() string { return db.reads(false, "new") })
		time.Sleep(replicatedLag / 2)
	}
	if err := db.write("probe", "lost"); !errors.Is(err, wpstore.ErrUnavailable) {
		t.Errorf("a write: %v", err)
	}
	if _, err := db.read(db.onReplica(true), "probe"); !errors.Is(err, wpstore.ErrUnavailable) {
		t.Errorf("a read of the latest: %v", err)
	}
	primary.Start()
	primary.Await("SELECT 1", "1")
	if err := db.write("probe", "back"); err != nil {
		t.Errorf("a write after the primary's return: %v", err)
	}
	db.mustRead(true, "back")
}

// testFailOver makes the first replica the primary, the second its replica, and
// the old primary read-only, as a tool for fail-overs does it.
func testFailOver(t *testing.T, db *replicated, at *wptest.Relay, primary *wptest.Node, nodes []*wptest.Node) {
	db.inUse("replica1", "replica2")
	db.mustRead(true, "back")
	var old []*sql.Conn // to the old primary
	for range 8 {
		c, err := db.SQL().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		old = append(old, c)
	}
	for _, c := range old[1:] {
		c.Close()
	}
	wptest.FailOver(primary, nodes)
	at.PointTo(nodes[0])
	time.Sleep(server.DropPause) // so that no pause is left from earlier failures
	moved := time.Now()
	refused := 0
	for {
		err := db.write("probe", "moved")
		if err == nil {
			break
		}
		refused++
		if !errors.Is(err, wpstore.ErrUnavailable) || time.Since(moved) > patience {
			t.Fatalf("a write after the fail-over: %v", err)
		}
	}
	t.Logf("the first write after %s, %d were refused", time.Since(moved).Round(time.Millisecond), refused)
	if refused > 2 {
		t.Errorf("%d writes went to the old primary", refused)
	}
	old[0].Close() // was in use all the time
	for range old {
		c, err := db.SQL().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		var id int
		if err := c.QueryRowContext(t.Context(), "SELECT @@server_id").Scan(&id); err != nil || id != nodes[0].ID {
			t.Errorf("a connection leads to server %d, want %d: %v", id, nodes[0].ID, err)
		}
	}
	db.mustRead(true, "moved")
	db.inUse("replica2") // the first is the primary now
	db.mustRead(false, "moved")
}
