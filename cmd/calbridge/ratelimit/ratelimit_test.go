package ratelimit

import (
	"strconv"
	"testing"
	"time"
)

func TestRateLimiter(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	l := New(func() time.Time { return now }, nil, nil)
	l.Set(2, 3)
	take := func(client string, want time.Duration) {
		t.Helper()
		if got := l.take(client); got != want {
			t.Errorf("%s waits %s, want %s", client, got, want)
		}
	}
	for range 3 {
		take("a", 0)
	}
	take("a", 500*time.Millisecond)
	take("b", 0)
	now = now.Add(500 * time.Millisecond)
	take("a", 0)
	take("a", 500*time.Millisecond)
	now = now.Add(time.Hour)
	for range 3 {
		take("a", 0)
	}
	take("a", 500*time.Millisecond)
	for i := range 3 * maxClients { // as many clients as there may be
		l.take(strconv.Itoa(i))
	}
	if len(l.paid) > maxClients {
		t.Errorf("%d clients are remembered", len(l.paid))
	}
	l.Set(0, 1)
	for range 10 {
		take("a", 0)
	}
	for addr, want := range map[string]string{"192.0.2.1": "192.0.2.1", "2001:db8::1:2:3:4": "2001:db8::/64", "2001:db8::9": "2001:db8::/64", "?": "?"} {
		if got := clientKey(addr); got != want {
			t.Errorf("%s counts as %s, want %s", addr, got, want)
		}
	}
}
