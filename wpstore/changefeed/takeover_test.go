package changefeed_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/changefeed"
)

// TestHubTakesOver checks that a site with a recorder resumes where it was over a connection of its own,
// that the hub that sites share takes over while others write, and that no change is missed or lost.
func TestHubTakesOver(t *testing.T) {
	n := startHub(t)
	main := n.site(1, changefeed.Observer{})
	main.caughtUp()
	reading := func() (connections int) {
		main.ok(n.SQL().QueryRow("SELECT COUNT(*) FROM information_schema.processlist WHERE COMMAND LIKE 'Binlog Dump%'").Scan(&connections))
		return connections
	}
	var mu sync.Mutex
	user := int64(1000)
	write := func() {
		mu.Lock()
		defer mu.Unlock()
		user++
		if _, err := n.SQL().Exec(fmt.Sprintf("INSERT INTO wp_usermeta (user_id) VALUES (%d)", user)); err != nil {
			t.Error(err)
		}
	}
	last := func() int64 {
		mu.Lock()
		defer mu.Unlock()
		return user
	}
	r := &recorder{}
	for round := range 4 {
		first := last()
		write() // while the site is closed
		write()
		second := n.site(2, changefeed.Observer{Recorder: r})
		writing, stop := context.WithCancel(t.Context())
		var writer sync.WaitGroup
		writer.Go(func() {
			for writing.Err() == nil {
				write()
				time.Sleep(2 * time.Millisecond)
			}
		})
		main.eventually("one connection", func() bool { return second.tracker.Active() && reading() == 1 })
		stop()
		writer.Wait()
		if round == 2 {
			main.cut()
		}
		write()
		second.caughtUp()
		all, missed := r.has(first, last())
		if round > 0 && (!all || missed) {
			t.Errorf("round %d: all recorded: %t, missed: %t", round, all, missed)
		}
		second.stop()
	}
}
