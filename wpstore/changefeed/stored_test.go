package changefeed_test

import (
	"context"
	"encoding"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// recorder keeps what the feed reports, over several feeds.
type recorder struct {
	mu    sync.Mutex
	mark  []byte
	begun []bool // missed or not
	tags  map[invalidation.Tag]bool
}

func (r *recorder) Resume(context.Context) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun, r.tags = nil, map[invalidation.Tag]bool{}
	return slices.Clone(r.mark)
}

func (r *recorder) Begin(missed bool, at encoding.TextMarshaler) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = append(r.begun, missed)
	r.mark, _ = at.MarshalText()
}

func (r *recorder) Record(tags []invalidation.Tag, _ bool, at encoding.TextMarshaler) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, tag := range tags {
		r.tags[tag] = true
	}
	if at != nil {
		r.mark, _ = at.MarshalText()
	}
}

// has reports whether the users after an id up to another were recorded since the last start,
// and whether changes may have been missed.
func (r *recorder) has(after, upTo int64) (all, missed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all = true
	for id := after + 1; id <= upTo; id++ {
		all = all && r.tags[invalidation.Tag{Kind: invalidation.User, ID: id}]
	}
	return all, slices.Contains(r.begun, true)
}

// TestFeedResumesAfterRestart: a feed goes on where another one was, which recorded it, if the
// server's log is the same since. After a crash of the server, and where it was set back, even
// if it counts beyond the position again, changes count as missed.
func TestFeedResumesAfterRestart(t *testing.T) {
	t.Parallel()
	n := wptest.StartNode(t)
	n.Exec("CREATE DATABASE site", "GRANT ALL ON *.* TO site@'%'")
	f := newFollower(t, n.DSN("site"), nil)
	users := int64(10)
	add := func(count int) {
		for range count {
			users++
			n.Exec(fmt.Sprintf("INSERT INTO site.wp_users (ID) VALUES (%d)", users))
		}
	}
	restart := func() {
		n.Shutdown()
		n.Start()
		up(n)
	}
	// The same numbers again, after the last two transactions are gone.
	executed, reset, set := "SELECT @@global.gtid_binlog_pos", "RESET MASTER", "SET GLOBAL gtid_binlog_state = '%s%d'"
	if wptest.IsMySQL(t) {
		executed, reset, set = "SELECT @@global.gtid_executed", "RESET BINARY LOGS AND GTIDS", "SET GLOBAL gtid_purged = '%s%d'"
	}
	anew := func(count int) {
		at, err := n.Text(executed)
		f.ok(err)
		last := strings.LastIndexByte(at, '-') + 1
		number, err := strconv.Atoi(at[last:])
		f.ok(err)
		n.Exec(reset, fmt.Sprintf(set, at[:last], number-2))
		add(count)
	}
	n.Shutdown()
	restore := n.Backup()
	n.Start()
	up(n)
	for _, test := range []struct {
		name      string
		meanwhile func()
		missed    bool
	}{
		{"nothing", func() {}, false},
		{"writes", func() { add(2) }, false},
		{"files", func() { add(1); n.Exec("FLUSH BINARY LOGS"); add(1) }, false},
		{"restart", func() { add(1); restart(); restart(); add(1) }, false},
		{"restart alone", restart, false},
		{"crash", func() { add(1); n.Kill(); n.Start(); up(n) }, true},
		{"purged", func() {
			add(1)
			restart() // which no connection reads
			n.Exec("PURGE BINARY LOGS BEFORE NOW() + INTERVAL 1 DAY")
		}, true},
		{"started over", func() { n.Exec(reset) }, true},
		{"set back", func() { anew(1) }, true},
		{"set back and passed", func() { anew(2) }, true},
		{"set back and beyond", func() { anew(20) }, true},
		{"restored", func() { n.Shutdown(); restore(); n.Start(); up(n) }, true},
	} {
		var r recorder
		f.run(changefeed.Observer{Recorder: &r})
		before := users
		add(2)
		f.caughtUp()
		if all, missed := r.has(before, users); !all || !missed {
			t.Fatalf("%s: at first has all %v, missed %v", test.name, all, missed)
		}
		f.stop()
		before = users
		test.meanwhile()
		f.run(changefeed.Observer{Recorder: &r})
		f.caughtUp()
		all, missed := r.has(before, users)
		if missed != test.missed || !missed && !all {
			t.Errorf("%s: has all %v, missed %v", test.name, all, missed)
		}
		if again, _ := r.has(before-1, before); again && !missed {
			t.Errorf("%s: what was recorded before is recorded again", test.name)
		}
		// And once more, from the mark that this one has left.
		add(1)
		f.caughtUp()
		f.stop()
		before = users
		add(1)
		f.run(changefeed.Observer{Recorder: &r})
		f.caughtUp()
		if all, missed := r.has(before, users); !all || missed {
			t.Errorf("%s: later has all %v, missed %v", test.name, all, missed)
		}
		f.stop()
	}
}

// TestRestoredServerIsNoticed: a server that is restored from files, and has then written
// as many bytes under the same GTIDs, isn't the one that was followed.
func TestRestoredServerIsNoticed(t *testing.T) {
	t.Parallel()
	n := wptest.StartNode(t)
	n.Exec("CREATE DATABASE site", "GRANT ALL ON *.* TO site@'%'")
	f := newFollower(t, n.DSN("site"), nil)
	n.Shutdown()
	restore := n.Backup()
	n.Start()
	up(n)
	var r recorder
	f.run(changefeed.Observer{Recorder: &r})
	f.exec("INSERT INTO wp_users (ID) VALUES (5)")
	f.caughtUp()
	f.stop()
	n.Shutdown()
	restore()
	n.Start()
	up(n)
	n.Exec("USE site", "INSERT INTO site.wp_users (ID) VALUES (6)")
	f.run(changefeed.Observer{Recorder: &r})
	f.caughtUp()
	if _, missed := r.has(0, 0); !missed {
		t.Error("resumed in another history")
	}
}

// TestFeedForgetsDamagedMarks: a mark that is damaged or of another kind of server is none.
func TestFeedForgetsDamagedMarks(t *testing.T) {
	f := newFollower(t, wptest.Replicated(t), nil)
	for _, text := range []string{
		"", "x", "{}", `{"Flavor":"mysql","Server":"a","Position":"","Before":"","Last":"x"}`, `{"Flavor":"mariadb","Server":"1","Position":"0-1-5","Before":"0-1-4","Last":"x"}`,
		`{"Flavor":"mariadb","Server":"1","Position":"0-1-x","Before":"0-1-4","Last":"x"}`,
	} {
		r := recorder{mark: []byte(text)}
		f.run(changefeed.Observer{Recorder: &r})
		f.caughtUp()
		if _, missed := r.has(0, 0); !missed {
			t.Errorf("%s: resumed", text)
		}
		f.stop()
	}
}

func up(n *wptest.Node) { n.Await("SELECT 1", "1") }
