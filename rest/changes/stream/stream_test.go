package stream

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestShared: clients of one list share what is read, each from where it is.
func TestShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.source.change(5)
		first := b.connect(-1)
		b.source.change(1)
		late := b.connect(3)  // older than the group
		again := b.connect(5) // what the group remembers
		b.expect(first, 6)
		b.expect(late, 4, 5, 6)
		b.expect(again, 6)
		b.source.reads = 0
		b.source.change(1)
		b.expect(first, 6, 7)
		b.expect(late, 4, 5, 6, 7)
		b.expect(again, 6, 7)
		if b.source.reads != 1 {
			t.Errorf("%d reads for three clients", b.source.reads)
		}
		if b.watcher.open != 3 || len(b.watcher.lags) < 3 {
			t.Errorf("%+v", b.watcher)
		}
	})
}

// TestHeartbeat: a silent stream has a comment in time, and moves the client on where the list
// didn't change but the journal did.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		c := b.connect(-1)
		before := len(c.said())
		time.Sleep(10*time.Second + time.Millisecond)
		synctest.Wait()
		if got := c.said()[before:]; got != heartbeat {
			t.Errorf("%q", got)
		}
		c.mu.Lock()
		c.text.Reset()
		c.mu.Unlock()
		for range 60 { // messages take the place of heartbeats
			b.source.change(1)
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if strings.Contains(c.said(), "\n"+heartbeat) {
			t.Errorf("%q", c.said())
		}
	})
}

// TestSlow: a client that doesn't read is closed, others go on, and it resumes without a gap.
func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.source.size = maxQueued / 4
		slow, fast := b.connect(-1), b.connect(-1)
		slow.mu.Lock()
		slow.stuck = true
		slow.mu.Unlock()
		var want []int64
		for n := range int64(20) {
			b.source.change(1)
			want = append(want, n+1)
			time.Sleep(100 * time.Millisecond)
		}
		b.expect(fast, want...)
		slow.mu.Lock()
		slow.stuck = false
		slow.mu.Unlock()
		time.Sleep(time.Second)
		synctest.Wait()
		if !slow.hasEnded() || b.watcher.closed[EndedSlow] != 1 {
			t.Fatalf("%v", b.watcher.closed)
		}
		got, last := slow.numbers()
		for i, n := range got {
			if n != fmt.Sprint(i+1) {
				t.Fatalf("a gap: %v", got)
			}
		}
		if len(got) == 0 || len(got) == 20 || last != got[len(got)-1] {
			t.Errorf("%v, id %s", got, last)
		}
		resumed := b.connect(int64(len(got)))
		b.expect(resumed, want[len(got):]...)
		// One that never reads again ends too.
		stuck := b.connect(-1)
		stuck.mu.Lock()
		stuck.stuck = true
		stuck.mu.Unlock()
		b.source.change(1)
		time.Sleep(time.Minute)
		if !stuck.hasEnded() {
			t.Error("a stream without a reader goes on")
		}
	})
}

// TestBurst: when much changes at once, clients get it as fast as they can; only those that
// are far slower than the others are closed.
func TestBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.source.size, b.source.page = maxQueued/3, 1
		var clients []*fakeClient
		for n := range 12 {
			c := b.connect(-1)
			c.takes = 20 * time.Millisecond
			if n == 0 {
				c.takes = time.Second
			}
			clients = append(clients, c)
		}
		var want []int64
		for n := range int64(10) {
			want = append(want, n+1)
		}
		b.source.change(10)
		time.Sleep(time.Minute)
		for _, c := range clients[1:] {
			b.expect(c, want...)
		}
		if !clients[0].hasEnded() || b.watcher.closed[EndedSlow] != 1 {
			t.Errorf("%v", b.watcher.closed)
		}
	})
}

// TestCut: a connection that is cut at any byte is resumed without a gap.
func TestCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.source.page = 3
		b.source.change(10)
		whole := b.connect(2)
		b.expect(whole, 3, 4, 5, 6, 7, 8, 9, 10)
		text := whole.said()
		for cut := range len(text) {
			part := text[:max(0, strings.LastIndex(text[:cut], "\n\n"))]
			at := int64(2)
			if i := strings.LastIndex(part, "id: "); i >= 0 {
				_, _ = fmt.Sscan(part[i+4:], &at)
			}
			c := b.connect(at)
			got, _ := c.numbers()
			want := 10 - int(at)
			if len(got) != want || want > 0 && (got[0] != fmt.Sprint(at+1) || got[want-1] != "10") {
				t.Fatalf("cut at %d, from %d: %v", cut, at, got)
			}
			c.cancel()
			synctest.Wait()
		}
	})
}

// TestGone: a position that can't be used is a reset, at the beginning and later, and the
// stream goes on.
func TestGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.source.change(9)
		b.source.first = 5
		old, c := b.connect(2), b.connect(-1)
		if !old.contains("event: reset\ndata: {\"reason\":\"expired\"}\nid: 9\n\n") {
			t.Errorf("%q", old.said())
		}
		b.source.mu.Lock()
		b.source.first = 10
		b.source.mu.Unlock()
		b.source.change(1)
		synctest.Wait()
		if !c.contains("event: reset\ndata: {\"reason\":\"expired\"}\nid: 10\n\n") || !old.contains("id: 10\n\n") {
			t.Errorf("%q", c.said())
		}
		b.source.change(1)
		synctest.Wait()
		if !c.contains("data: 11\nid: 11\n\n") {
			t.Errorf("%q", c.said())
		}
	})
}

// TestFailures: a source that fails delays messages, and loses none; one at its end ends the
// streams.
func TestFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		c := b.connect(-1)
		set := func(err error) {
			b.source.mu.Lock()
			b.source.fails = err
			b.source.mu.Unlock()
		}
		set(errors.New("the database is away"))
		b.source.change(1)
		time.Sleep(30 * time.Second)
		late := b.connect(0)
		time.Sleep(30 * time.Second)
		b.expect(c)
		if strings.Count(c.said(), heartbeat) < 5 || !late.contains("\n"+heartbeat) {
			t.Errorf("%q\n%q", c.said(), late.said())
		}
		set(nil)
		time.Sleep(time.Second)
		b.expect(c, 1)
		b.expect(late, 1)
		b.watcher.mu.Lock()
		if n := len(b.watcher.lags); n == 0 || b.watcher.lags[n-1] < time.Minute {
			t.Errorf("lags %v", b.watcher.lags)
		}
		b.watcher.mu.Unlock()
		set(ErrEnd)
		b.source.change(1)
		time.Sleep(time.Second)
		synctest.Wait()
		if !c.hasEnded() || !late.hasEnded() || b.watcher.closed[EndedList] != 2 {
			t.Errorf("%v", b.watcher.closed)
		}
	})
}

// TestLimits: in all, and of one address.
func TestLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.hub.cfg.Most, b.hub.cfg.MostOfAddress = 3, 2
		one, _ := b.as("a", -1), b.as("a", -1)
		if _, err := b.hub.Enter("a"); err != ErrAddress {
			t.Error(err)
		}
		_ = b.as("b", -1)
		if _, err := b.hub.Enter("c"); err != ErrAll {
			t.Error(err)
		}
		one.cancel()
		synctest.Wait()
		leave, err := b.hub.Enter("a")
		if err != nil || b.watcher.closed[EndedByClient] != 1 {
			t.Fatalf("%v %v", err, b.watcher.closed)
		}
		leave()
		leave() // a second time gives nothing back
		if b.hub.clients != 2 {
			t.Errorf("%d streams", b.hub.clients)
		}
		if len(b.hub.byAddress) != 2 {
			t.Errorf("%v", b.hub.byAddress)
		}
	})
}

// TestEnd: streams end at once, and those that begin later; nothing is left behind.
func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		c := b.connect(-1)
		late := b.connect(0)
		b.hub.End()
		synctest.Wait()
		after := b.connect(-1)
		if !c.hasEnded() || !late.hasEnded() || !after.hasEnded() || b.watcher.closed[EndedServer] != 3 {
			t.Errorf("%v", b.watcher.closed)
		}
		b.close()
		if len(b.hub.groups) > 0 || b.hub.clients != 0 {
			t.Errorf("%d groups, %d clients", len(b.hub.groups), b.hub.clients)
		}
	})
}

// TestShut: streams end at once, and those that begin before streams may go on; then they go on
// where they were.
func TestShut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		c, idle := b.connect(-1), b.as("b", -1)
		b.source.change(2)
		b.expect(c, 1, 2)
		b.hub.Shut(true)
		b.source.change(1)
		b.expect(c, 1, 2)
		during := b.connect(2)
		if !c.hasEnded() || !idle.hasEnded() || !during.hasEnded() || b.watcher.closed[EndedServer] != 3 {
			t.Errorf("%v", b.watcher.closed)
		}
		b.expect(during)
		b.hub.Shut(false)
		b.hub.Shut(false)
		again, other := b.connect(2), b.connect(0)
		b.source.change(1)
		b.expect(again, 3, 4)
		b.expect(other, 1, 2, 3, 4)
		b.hub.End()
		b.hub.Shut(false)
		synctest.Wait()
		if after := b.connect(4); !again.hasEnded() || !after.hasEnded() {
			t.Error("streams go on after the end")
		}
	})
}

// TestLinger: a group without clients remembers for a while, then ends.
func TestLinger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.connect(-1).cancel()
		synctest.Wait()
		b.source.change(1)
		synctest.Wait()
		b.source.reads = 0
		c := b.connect(0)
		if b.expect(c, 1); b.source.reads != 0 {
			t.Errorf("%d reads", b.source.reads)
		}
		c.cancel()
		time.Sleep(2 * linger)
		synctest.Wait()
		if len(b.hub.groups) > 0 {
			t.Error("a group without clients goes on")
		}
	})
}
