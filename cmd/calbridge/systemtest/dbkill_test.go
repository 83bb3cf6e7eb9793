package systemtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/wpstore/wptest"
)

// TestDatabaseKills kills the database under load and restarts it, CALBRIDGE_DB_KILLS times.
// It checks that every request gets a response in time with no error other than 503, that the
// service recovers soon after the database's return, and that every write has left all of its
// rows or none.
func TestDatabaseKills(t *testing.T) {
	kills := 3
	if n, err := strconv.Atoi(os.Getenv("CALBRIDGE_DB_KILLS")); err == nil {
		kills = n
	} else if testing.Short() {
		kills = 1
	}
	node := wptest.StartNode(t)
	db := node.Site("mono")
	s := start(t, nil, outageArgs(db, db.DSN)...)
	k := newOutageKiller(t, db)
	var recoveries []time.Duration
	var slowest time.Duration
	for i := range kills {
		l := k.begin(s.api, 8, 4)
		l.served(t, 20, true)
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
		node.Kill()
		time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
		node.Start()
		node.Await("SELECT 1", "1")
		recovery := l.served(t, 1, true)
		if recovery > recoverySoon() {
			t.Errorf("kill %d: served again %s after the database's return", i+1, recovery)
		}
		recoveries = append(recoveries, recovery)
		l.served(t, 20, true)
		l.end()
		slowest = max(slowest, l.slowest())
		if t.Failed() {
			t.Fatalf("after kill %d", i+1)
		}
	}
	slices.Sort(recoveries)
	t.Logf("%d kills; served again after %s at the median, %s at most; slowest answer %s\n%s", kills,
		recoveries[len(recoveries)/2].Round(time.Millisecond), recoveries[len(recoveries)-1].Round(time.Millisecond), slowest.Round(time.Millisecond), k.summary())
}

// outageArgs returns the command line of a server whose database has outages.
func outageArgs(db wptest.Database, dsn string, more ...string) []string {
	return append([]string{"serve", "--dsn", dsn, "--table-prefix", db.TablePrefix, "--namespace", recording.DefaultNamespace,
		"--request-timeout", outageDeadline.String()}, more...)
}

// summary returns the counts of what has happened.
func (k *killer) summary() string {
	var lines []string
	for what, n := range k.tally {
		lines = append(lines, fmt.Sprintf("%6d %s", n, what))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
