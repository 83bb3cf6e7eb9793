package systemtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore/wptest"
)

// failover is a site on a primary with replicas. The test changes their roles behind an
// address that follows the primary, as a proxy does.
type failover struct {
	t       *testing.T
	nodes   []*wptest.Node // the primary first
	address *wptest.Relay
	event   string
	serial  int
}

// change changes the event on the primary by SQL and returns what responses show then.
func (f *failover) change() string {
	f.t.Helper()
	f.serial++
	title := fmt.Sprintf("Change %d", f.serial)
	f.nodes[0].Exec(fmt.Sprintf("UPDATE calendar.wp_posts SET post_title = '%s' WHERE ID = %s", title, f.event))
	return `"title":"` + title + `"`
}

func (f *failover) shows(s *started, want string) bool {
	f.t.Helper()
	resp, body := fetch(f.t, s.api+"/wp-json/tribe/events/v1/events/"+f.event)
	return resp.StatusCode == 200 && strings.Contains(body, want)
}

// awaitShown waits until the response shows want, and returns how long that took.
func (f *failover) awaitShown(s *started, want string) time.Duration {
	f.t.Helper()
	begun := time.Now()
	for !f.shows(s, want) {
		if time.Since(begun) > time.Minute {
			f.t.Fatalf("never shows %s\n%s", want, s.stderr)
		}
		time.Sleep(time.Millisecond)
	}
	return time.Since(begun)
}

// promote makes the last replica, with which all others have caught up, the primary. The
// caller handles the old primary.
func (f *failover) promote() (old *wptest.Node) {
	f.t.Helper()
	old = f.nodes[0]
	for _, n := range f.nodes[1:] {
		n.CatchUp(old)
	}
	f.nodes = []*wptest.Node{f.nodes[2], f.nodes[1], old}
	f.nodes[0].Promote()
	f.nodes[1].Follow(f.nodes[0])
	return old
}

// TestCacheFollowsThePrimary checks that, after the address has moved to a new primary,
// changes there reach the caches and the old contents of the caches are invalid.
func TestCacheFollowsThePrimary(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	t.Parallel()
	primary, replicas := wptest.StartReplication(t, 2)
	db := primary.Site("mono")
	primary.Exec("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO site@'%'")
	event, err := primary.Text("SELECT ID FROM calendar.wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish' AND post_parent = 0 ORDER BY ID LIMIT 1")
	if err != nil {
		t.Fatal(err)
	}
	f := &failover{event: event, nodes: append([]*wptest.Node{primary}, replicas...), address: wptest.StartRelay(t, primary)}
	for _, c := range []struct {
		name string
		// before and after run on the old primary before and after the promotion of the new
		// one; rejoin runs at the end.
		before, after, rejoin func(old *wptest.Node)
		// split: the old primary keeps confirming freshness until calbridge checks which
		// server the address leads to.
		split bool
	}{
		{name: "the old primary is read-only", before: func(old *wptest.Node) { old.Exec("SET GLOBAL read_only = 1") }},
		{name: "the old primary stays writable", split: true},
		{name: "the old primary becomes a replica", before: func(old *wptest.Node) { old.Exec("SET GLOBAL read_only = 1") }, after: func(old *wptest.Node) { old.Follow(f.nodes[0]) }},
		{name: "the old primary dies, and comes back as one", after: func(old *wptest.Node) { old.Kill() }, rejoin: func(old *wptest.Node) {
			old.Start()
			old.Await("SELECT @@read_only", "0")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.t = t
			f.address.PointTo(f.nodes[0])
			serving := map[settings.CacheMode]*started{}
			for _, mode := range []settings.CacheMode{settings.CacheAuto, settings.CacheStrict} {
				s := start(t, nil, outageArgs(db, f.address.DSN("calendar"), "--cache", string(mode), "--replica-dsn", dsns(f.nodes[1:]...))...)
				s.awaitMetric(replicaInUse("replica1"), 1)
				s.awaitMetric(replicaInUse("replica2"), 1)
				serving[mode] = s
			}
			f.judge(serving)

			if c.before != nil {
				c.before(f.nodes[0])
			}
			old := f.promote()
			f.address.PointTo(f.nodes[0])
			if c.after != nil {
				c.after(old)
			}
			want := f.change()
			for mode, s := range serving {
				t.Logf("%s: shows what the new primary has after %s", mode, f.awaitShown(s, want).Round(time.Millisecond))
			}
			if c.split {
				time.Sleep(2 * time.Second) // calbridge checks the address meanwhile and then follows the new primary
			}
			f.judge(serving)
			if c.rejoin != nil {
				c.rejoin(old)
				time.Sleep(2 * time.Second) // calbridge notices it meanwhile
				f.judge(serving)
			}
			old.Follow(f.nodes[0])
			f.judge(serving)
		})
	}
}

// judge changes the event repeatedly. It checks that in strict mode every response shows the
// change, that in other modes responses show it soon, and that responses come from memory.
func (f *failover) judge(serving map[settings.CacheMode]*started) {
	f.t.Helper()
	for mode, s := range serving {
		s.awaitMetric("calbridge_cache_followed", 1)
		const hits = `calbridge_cache_requests_total{result="hit"}`
		before := s.metric(hits)
		for range 20 {
			want := f.change()
			if mode == settings.CacheStrict && !f.shows(s, want) {
				f.t.Errorf("strict: does not show %s\n%s", want, s.stderr)
			}
			f.awaitShown(s, want)
			for range 5 {
				f.shows(s, want)
			}
		}
		if after := s.metric(hits); after < before+20 {
			f.t.Errorf("%s: %v answers from memory before, %v after", mode, before, after)
		}
	}
}
