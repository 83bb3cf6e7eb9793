package sqlconn

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/wptest"
)

func TestReplicas(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	primary, replicas := wptest.StartReplication(t, 2)
	primary.Exec("CREATE DATABASE calendar CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci")
	at := wptest.StartRelay(t, primary)
	db := openReplicated(t, at.DSN("calendar"), nil, replicas...)
	if err := createOptions(db.Servers); err != nil {
		t.Fatal(err)
	}
	if err := db.write("probe", "first"); err != nil {
		t.Fatal(err)
	}
	db.caughtUp(replicas, "first")
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
			step.run(t, db, primary, replicas)
		})
	}
	t.Run("another primary", func(t *testing.T) {
		db.t = t
		testFailOver(t, db, at, primary, replicas)
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
func testOwnWrites(t *testing.T, db *replicated, _ *wptest.Node, replicas []*wptest.Node) {
	other := openReplicated(t, db.cfg.DSN, nil, replicas...)
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
		for _, n := range replicas {
			n.Exec("STOP SLAVE", fmt.Sprintf("CHANGE MASTER TO MASTER_DELAY = %d", seconds), "START SLAVE")
		}
	}
	delay(1)
	defer func() {
		delay(0)
		db.settle(replicas, "old")
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
func testCachedFromReplica(t *testing.T, db *replicated, _ *wptest.Node, replicas []*wptest.Node) {
	cached := openReplicated(t, db.cfg.DSN, nil, replicas...)
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	cache := rowcache.New(tracker, 1<<20)
	defer cache.Close()
	cached.caughtUp(replicas, "old")
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
		cached.settle(replicas, "old")
		tracker.Invalidate(probe...)
		early := begin()
		for early.route.replica.Load() == nil { // none was ready in time
			early = begin()
		}
		for _, n := range replicas {
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
		for _, n := range replicas {
			n.Exec("START SLAVE SQL_THREAD")
		}
		return problem
	})
	db.settle(replicas, "old")
}

func testLagging(t *testing.T, db *replicated, primary *wptest.Node, replicas []*wptest.Node) {
	db.undisturbed(func() (problem string) {
		db.settle(replicas, "old")
		for _, n := range replicas {
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
		for i := 0; problem != "" && i < len(replicas); i++ { // before another try
			replicas[i].Exec("START SLAVE SQL_THREAD")
		}
		return problem
	})
	db.inUse()
	db.mustRead(false, "new")
	lag := func() ReplicaState {
		db.mu.Lock()
		defer db.mu.Unlock()
		return db.states["replica1"]
	}
	for end := time.Now().Add(patience); lag().InUse || lag().Lag < replicatedLag; time.Sleep(watchPause) {
		if time.Now().After(end) {
			t.Fatalf("%+v", lag())
		}
	}
	// What is written meanwhile makes it no worse, and nothing is in use before all is there.
	replicas[0].Exec("START SLAVE SQL_THREAD")
	db.inUse("replica1")
	db.mustRead(false, "new")
	replicas[1].Exec("START SLAVE SQL_THREAD")
	db.inUse("replica1", "replica2")
	db.mustRead(false, "new")
}

func testHanging(t *testing.T, db *replicated, _ *wptest.Node, replicas []*wptest.Node) {
	replicas[0].Hang()
	defer replicas[0].Resume()
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
	replicas[0].Resume()
	db.inUse("replica1", "replica2")
}

func testKilled(t *testing.T, db *replicated, primary *wptest.Node, replicas []*wptest.Node) {
	for _, n := range replicas {
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
	for _, n := range replicas {
		n.Start()
	}
	db.inUse("replica1", "replica2")
}

// testRefusing: a replica whose position is fine but that fails reads is left out for a
// while.
func testRefusing(t *testing.T, db *replicated, _ *wptest.Node, replicas []*wptest.Node) {
	for _, n := range replicas {
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
		r.pool.SetMaxIdleConns(-1) // so that the next read needs a connection
		r.pool.SetMaxIdleConns(cap(r.places))
	}
	for _, r := range db.replicas {
		for end := time.Now().Add(patience); !r.isBanned(); {
			db.mustRead(false, "new")
			if time.Now().After(end) {
				t.Fatalf("%s stays in use", r.name)
			}
		}
	}
}

func (r *replica) isBanned() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ban > 0
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
func testFailOver(t *testing.T, db *replicated, at *wptest.Relay, primary *wptest.Node, replicas []*wptest.Node) {
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
	wptest.FailOver(primary, replicas)
	at.PointTo(replicas[0])
	db.primary.dropped.Store(0) // so that no pause is left from earlier failures
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
		if err := c.QueryRowContext(t.Context(), "SELECT @@server_id").Scan(&id); err != nil || id != replicas[0].ID {
			t.Errorf("a connection leads to server %d, want %d: %v", id, replicas[0].ID, err)
		}
	}
	db.mustRead(true, "moved")
	db.inUse("replica2") // the first is the primary now
	db.mustRead(false, "moved")
}

func testCheckReplicas(t *testing.T, db *replicated, primary *wptest.Node, replicas []*wptest.Node) {
	replicas[1].Exec("SET GLOBAL read_only = 0")
	defer replicas[1].Exec("SET GLOBAL read_only = 1")
	stopped := wptest.StartNode(t)
	all := openReplicated(t, db.cfg.DSN, func(cfg *Config) {
		cfg.Replicas = append(cfg.Replicas, fmt.Sprintf("site:pass@tcp(127.0.0.1:%d)/calendar", wptest.FreePort(t)))
	}, replicas[0], replicas[1], primary, stopped)
	readable := sq.Select("option_id").From("wp_options").Limit(1)
	inspect := func(i int) ReplicaFinding { return all.InspectReplica(t.Context(), i, readable) }
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
	if f := inspect(4); f.Err == nil || !strings.Contains(f.Err.Error(), "nothing listens there") {
		t.Errorf("one that is not there: %+v", f)
	}
	for i := range 5 {
		if f := inspect(i); f.Name != fmt.Sprint("replica", i+1) || strings.Contains(fmt.Sprintf("%+v", f), ":pass@") {
			t.Errorf("%+v", f)
		}
	}
}
