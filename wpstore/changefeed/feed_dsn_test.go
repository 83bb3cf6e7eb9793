package changefeed_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/wptest"
)

// TestFeedDSN: behind a proxy the log is followed at the server's own address, as long as
// both lead to the same server.
func TestFeedDSN(t *testing.T) {
	t.Parallel()
	primary, replicas := wptest.StartReplication(t, 1)
	other := replicas[0]
	primary.Exec("CREATE DATABASE calendar", "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO site@'%'",
		"CREATE TABLE calendar.other (id int)", "CREATE USER feed@'%' IDENTIFIED BY 'own'", "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO feed@'%'", "GRANT SELECT ON calendar.other TO feed@'%'")
	proxy := wptest.StartRelay(t, primary)
	inspect := func(f *follower) changefeed.Inspection {
		t.Helper()
		found, err := changefeed.Inspect(t.Context(), f.Servers, f.tables, nil)
		f.ok(err)
		return found
	}
	var why atomic.Value
	o := changefeed.Observer{Following: func(on bool, err error) {
		if !on {
			why.Store(err.Error())
		}
	}}
	says := func(text string) func() bool {
		return func() bool { return strings.Contains(why.Load().(string), text) }
	}
	why.Store("")

	f := newFollower(t, proxy.DSN("calendar"), func(cfg *config) {
		cfg.Feed = wptest.Server(t, strings.Replace(primary.DSN(""), "site:pass", "feed:own", 1))
	})
	if found := inspect(f); found.Unreadable == nil || !strings.HasPrefix(found.Account, "feed@") {
		t.Errorf("a user without SELECT: %+v", found)
	}
	primary.Exec("GRANT SELECT ON calendar.* TO feed@'%'")
	if found := inspect(f); found.Unreadable != nil || found.Obstacle != "" {
		t.Errorf("%+v", found)
	}
	f.run(o)
	if got := tagText(f.changes("INSERT INTO wp_usermeta (user_id) VALUES (5)")); got != " user5" {
		t.Errorf("changed %q", got)
	}
	proxy.PointTo(other) // the feed's address stays with the old primary
	f.eventually("suspended", func() bool { return !f.tracker.Active() && says("by --feed-dsn")() })
	proxy.PointTo(primary)
	f.eventually("following again", f.tracker.Active)
	f.stop()

	f = newFollower(t, proxy.DSN("calendar"), func(cfg *config) { cfg.Feed = wptest.Server(t, other.DSN("calendar")); cfg.Tables.Prefix = "b_" })
	other.Exec("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO site@'%'")
	if found := inspect(f); !strings.Contains(found.Obstacle, "by --feed-dsn") {
		t.Errorf("another server: %+v", found)
	}
}
