package login

import (
	"strconv"
	"testing"
	"time"
)

func TestThrottle(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	th := newThrottle(func() time.Time { return now }, 2)
	const addr = "192.0.2.1"
	guess := th.try(addr, "edita", "wrong")
	for failure, want := range []time.Duration{0, 0, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, time.Minute, time.Minute} {
		guess.failed()
		if got := guess.wait(); got != want {
			t.Errorf("failure %d: %s, want %s", failure+1, got, want)
		}
	}
	now = now.Add(20 * time.Second)
	if got := th.try(addr, "EDITA", "another").wait(); got != 40*time.Second {
		t.Errorf("20 s later: %s", got)
	}
	now = now.Add(40*time.Second + throttleForget)
	guess.failed()
	if got := guess.wait(); got != time.Minute {
		t.Errorf("after the last moment that counts: %s", got)
	}
	now = now.Add(time.Minute + throttleForget + 1)
	guess.failed()
	if got := guess.wait(); got != 0 {
		t.Errorf("a quiet client starts with %s", got)
	}
	for i := range 3 * maxThrottled {
		th.try(strconv.Itoa(i), "edita", "wrong").failed()
	}
	th.failures.CleanUp()
	if n := th.failures.EstimatedSize(); n > maxThrottled {
		t.Errorf("%d clients are remembered", n)
	}
	off := newThrottle(time.Now, 0).try(addr, "edita", "wrong")
	for range 5 {
		off.failed()
	}
	off.succeeded()
	if got := off.wait(); got != 0 {
		t.Errorf("switched off: %s", got)
	}
}

// TestThrottleOfOthers checks which other clients a client's failures slow down.
func TestThrottleOfOthers(t *testing.T) {
	const free = 3
	th := newThrottle(func() time.Time { return time.Unix(1_800_000_000, 0) }, free)
	fail := func(addr, name string, times int) {
		for range times {
			th.try(addr, name, "wrong").failed()
		}
	}
	for _, c := range []struct {
		what, addr, name, password string
		waits                      bool
	}{
		{"the name itself", "192.0.2.1", "edita", "right", true},
		{"its password, accepted before", "192.0.2.1", "edita", "old", false},
		{"its password at another address", "192.0.2.2", "edita", "right", false},
		{"another name", "192.0.2.1", "adela", "right", false},
		{"IPv6, another address of the network", "2001:db8:0:1::2", "edita", "right", true},
		{"IPv6, another network", "2001:db8:0:2::1", "edita", "right", false},
		{"a new name where many have failed", "192.0.2.9", "adela", "right", true},
		{"a known one there", "192.0.2.9", "adela", "old", false},
		{"IPv6, a new name", "2001:db8:0:9::9", "adela", "right", true},
		{"a new name elsewhere", "192.0.2.8", "adela", "right", false},
	} {
		th.failures.InvalidateAll()
		th.try(c.addr, c.name, "old").succeeded()
		fail("192.0.2.1", "edita", free+1)
		th.try("192.0.2.1", "mallory", "his own").succeeded()
		for i := range free + 1 {
			fail("2001:db8:0:1::"+strconv.Itoa(i+3), "edita", 1)
			fail("192.0.2.9", "name"+strconv.Itoa(i), 1)
			fail("2001:db8:0:9::"+strconv.Itoa(i), "name"+strconv.Itoa(i), 1)
		}
		if got := th.try(c.addr, c.name, c.password).wait(); (got > 0) != c.waits {
			t.Errorf("%s waits %s", c.what, got)
		}
	}
}

// TestThrottleAfterClockJump checks that a jump of the clock locks nobody out for longer than the
// longest delay, and that failures count afterwards.
func TestThrottleAfterClockJump(t *testing.T) {
	for name, jump := range map[string]time.Duration{"forwards": 24 * time.Hour, "backwards": -24 * time.Hour, "a second back": -time.Second} {
		t.Run(name, func(t *testing.T) {
			now := time.Unix(1_800_000_000, 0)
			guess := newThrottle(func() time.Time { return now }, 1).try("192.0.2.1", "edita", "wrong")
			for range 6 {
				guess.failed()
			}
			now = now.Add(jump)
			if got := guess.wait(); got > throttleMax {
				t.Errorf("waits %s", got)
			}
			for range 3 {
				guess.failed()
			}
			if got := guess.wait(); got == 0 || got > throttleMax {
				t.Errorf("after more failures: %s", got)
			}
		})
	}
}
