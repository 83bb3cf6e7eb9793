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
	for failure, want := range []time.Duration{0, 0, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, time.Minute, time.Minute} {
		th.failed(addr)
		if got := th.wait(addr); got != want {
			t.Errorf("failure %d: %s, want %s", failure+1, got, want)
		}
	}
	if got := th.wait("192.0.2.2"); got != 0 {
		t.Errorf("another address waits %s", got)
	}
	now = now.Add(20 * time.Second)
	if got := th.wait(addr); got != 40*time.Second {
		t.Errorf("20 s later: %s", got)
	}
	now = now.Add(40*time.Second + throttleForget)
	th.failed(addr)
	if got := th.wait(addr); got != time.Minute {
		t.Errorf("after the last moment that counts: %s", got)
	}
	now = now.Add(time.Minute + throttleForget + 1)
	th.failed(addr)
	if got := th.wait(addr); got != 0 {
		t.Errorf("a quiet address starts with %s", got)
	}
	for range 5 {
		th.failed(addr)
	}
	th.succeeded(addr)
	if got := th.wait(addr); got != 0 {
		t.Errorf("after a success: %s", got)
	}
	for i := range 3 * maxThrottled {
		th.failed(strconv.Itoa(i))
	}
	th.clients.CleanUp()
	if n := th.clients.EstimatedSize(); n > maxThrottled {
		t.Errorf("%d addresses are remembered", n)
	}
	off := newThrottle(time.Now, 0)
	for range 5 {
		off.failed(addr)
	}
	off.succeeded(addr)
	if got := off.wait(addr); got != 0 {
		t.Errorf("switched off: %s", got)
	}
}
