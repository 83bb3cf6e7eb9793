package sqlconn

import (
	"fmt"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn/server"
	"calbridge/wpstore/wptest"
)

func TestReplicas(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	primary, nodes := wptest.StartReplication(t, 2)
	primary.Exec("CREATE DATABASE calendar CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci")
	at := wptest.StartRelay(t, primary)
	db := openReplicated(t, wptest.Address(t, at.DSN("calendar")), nil, nodes...)
	if err := createOptions(db.Servers); err != nil {
		t.Fatal(err)
	}
	if err := db.write("probe", "first"); err != nil {
		t.Fatal(err)
	}
	db.caughtUp(nodes, "first")
	for _, step := range []struct {
		name string
		run  func(*testing.T, *replicated, *wptest.Node, []*wptest.Node)
	}{
		{"reads are spread, writes are not", testReadsAreSpread},
		{"checked", testCheckReplicas},
		{"own writes are read", testOwnWrites},
		{"rows of a replica in the row cache", testCachedFromReplica},
		{"lagging", testLagging},
		{"hanging", testHanging},
		{"killed", testKilled},
		{"refusing", testRefusing},
		{"primary away", testPrimaryAway},
	} {
		t.Run(step.name, func(t *testing.T) {
			db.t = t
			step.run(t, db, primary, nodes)
		})
	}
	t.Run("another primary", func(t *testing.T) {
		db.t = t
		testFailOver(t, db, at, primary, nodes)
	})
}

func testReadsAreSpread(t *testing.T, db *replicated, _ *wptest.Node, _ []*wptest.Node) {
	db.undisturbed(func() (problem string) {
		db.answered()
		for range 60 {
			db.mustRead(false, "first")
		}
		if got := db.answered(); got[PrimaryName] != 0 || got["replica1"] < 10 || got["replica2"] < 10 || got["replica1"]+got["replica2"] != 60 {
			problem = fmt.Sprintf("60 reads: %v", got)
		}
		return problem
	})
	run := db.onReplica(false)
	err := run.Transact(t.Context(), func(tx *Runner) (Ended, error) {
		if value, err := db.read(tx, "probe"); err != nil || value != "first" {
			t.Errorf("inside of a transaction: %q, %v", value, err)
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := db.read(NewRunner(db.Servers, nil), "probe"); err != nil {
		t.Error(err)
	}
	if got := db.answered(); got["replica1"]+got["replica2"] != 0 || got[PrimaryName] == 0 {
		t.Errorf("a transaction, and queries for rights: %v", got)
	}
}

// testOwnWrites writes and reads in turn, as one client and through two processes.
func testOwnWrites(t *testing.T, db *replicated, _ *wptest.Node, nodes []*wptest.Node) {
	other := openReplicated(t, db.cfg.Database, nil, nodes...)
	other.inUse("replica1", "replica2")
	other.answered()
	// More rounds where replicas are too slow to be waited for: then one is asked at
	// most once in a round, and not read from.
	rounds, got := 0, map[string]int{}
	for end := time.Now().Add(patience); rounds < 200 || got["replica1"] < 50 || got["replica2"] < 50 || got["replica1"]+got["replica2"] < rounds+50; rounds++ {
		if time.Now().After(end) {
			t.Fatalf("reads of what was just written, %d times: %v", rounds, got)
		}
		if err := db.write("probe", fmt.Sprint(rounds)); err != nil {
			t.Fatal(err)
		}
		db.mustRead(true, fmt.Sprint(rounds))
		other.mustRead(true, fmt.Sprint(rounds))
		for server, n := range other.answered() {
			got[server] += n
		}
	}
	delay := func(seconds int) {
		for _, n := range nodes {
			n.Exec("STOP SLAVE", fmt.Sprintf("CHANGE MASTER TO MASTER_DELAY = %d", seconds), "START SLAVE")
		}
	}
	delay(1)
	defer func() {
		delay(0)
		db.settle(nodes, "old")
	}()
	for i, stale, end := 0, 0, time.Now().Add(patience); i < 5 || stale == 0; i++ {
		if time.Now().After(end) {
			t.Fatal("replicas with a delay of a second lack nothing: this test shows nothing")
		}
		value := fmt.Sprint("late ", i)
		if err := db.write("probe", value); err != nil {
			t.Fatal(err)
		}
		other.mustRead(true, value)
		if other.reads(false, value) != "" {
			stale++
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// testCachedFromReplica: a request began before a change, and reads from its replica
// after the change was noted in the tracker, which the replica lacks. The row cache must
// not take what it has read for new.
func testCachedFromReplica(t *testing.T, db *replicated, _ *wptest.Node, nodes []*wptest.Node) {
	cached := openReplicated(t, db.cfg.Database, nil, nodes...)
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	cache := rowcache.New(tracker, 1<<20)
	defer cache.Close()
	cached.caughtUp(nodes, "old")
	probe := []invalidation.Tag{{Kind: invalidation.Post, ID: 1}}
	type request struct {
		*Runner
		rows rowcache.View
	}
	begin := func() *request {
		q := &request{Runner: NewRunner(cached.Servers, nil), rows: rowcache.NewView(cache, nil)}
		q.rows.Allow()
		sequence := q.rows.Generation()
		if q.UseReplica(t.Context(), true) {
			q.rows.ReadAsOf(sequence)
		}
		return q
	}
	recalled := func(q *request) string {
		rows, err := rowcache.Load(&q.rows, rowcache.Meta("probe"), []int64{1}, func([]int64) (map[int64]wpstore.Meta, error) {
			value, err := cached.read(q.Runner, "probe")
			return map[int64]wpstore.Meta{1: wpstore.NewMeta([]wpstore.MetaRow{{Key: "probe", Value: value}}, wpstore.Digest{})}, err
		})
		if err != nil {
			t.Error(err)
		}
		value, _ := rows[1].First("probe")
		return value
	}
	cached.undisturbed(func() (problem string) {
		cached.settle(nodes, "old")
		tracker.Invalidate(probe...)
		early := begin()
		for early.route.replica.Load() == nil { // none was ready in time
			early = begin()
		}
		for _, n := range nodes {
			n.Exec("STOP SLAVE SQL_THREAD")
		}
		if err := cached.write("probe", "changed"); err != nil {
			t.Fatal(err)
		}
		tracker.Invalidate(probe...)
		if got := recalled(early); got != "old" {
			problem = fmt.Sprintf("the request that began earlier reads %q: this test shows nothing", got)
		}
		if got := recalled(begin()); got != "changed" {
			t.Errorf("a later request gets %q", got)
		}
		for _, n := range nodes {
			n.Exec("START SLAVE SQL_THREAD")
		}
		return problem
	})
	db.settle(nodes, "old")
}

func testLagging(t *testing.T, db *replicated, primary *wptest.Node, nodes []*wptest.Node) {
	db.undisturbed(func() (problem string) {
		db.settle(nodes, "old")
		for _, n := range nodes {
			n.Exec("STOP SLAVE SQL_THREAD")
		}
		if err := db.write("probe", "new"); err != nil {
			t.Fatal(err)
		}
		db.answered()
		db.mustRead(true, "new") // of the primary
		if got := db.answered(); got[PrimaryName] != 2 {
			problem = fmt.Sprintf("a read of the latest while the replicas lag: %v; ", got)
		}
		if wrong := db.reads(false, "old"); wrong != "" {
			problem += "within the allowed lag: " + wrong
		}
		for i := 0; problem != "" && i < len(nodes); i++ { // before another try
			nodes[i].Exec("START SLAVE SQL_THREAD")
		}
		return problem
	})
	db.inUse()
	db.mustRead(false, "new")
	lag := func() server.ReplicaState {
		db.mu.Lock()
		defer db.mu.Unlock()
		return db.states["replica1"]
	}
	for end := time.Now().Add(patience); lag().InUse || lag().Lag < replicatedLag; time.Sleep(replicatedLag / 8) {
		if time.Now().After(end) {
			t.Fatalf("%+v", lag())
		}
	}
	// What is written meanwhile makes it no worse, and nothing is in use before all is there.
	nodes[0].Exec("START SLAVE SQL_THREAD")
	db.inUse("replica1")
	db.mustRead(false, "new")
	nodes[1].Exec("START SLAVE SQL_THREAD")
	db.inUse("replica1", "replica2")
	db.mustRead(false, "new")
}
