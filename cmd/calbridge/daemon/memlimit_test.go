package daemon

import (
	"context"
	"math"
	"runtime/debug"
	"testing"
	"time"
)

func TestHeapLimit(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		what                          string
		live, other, cached, mayCache uint64
		want                          int64
	}{
		{"empty caches: room for all of them", 50, 10, 0, 256, 50 + 10 + 256 + 80},
		{"full caches", 306, 10, 256, 256, 306 + 10 + 80},
		{"more than allowed, for a moment", 310, 10, 260, 256, 310 + 10 + 80},
		{"hardly anything allowed", 50, 10, 0, 8, 50 + 10 + 8 + 32},
		{"a large index", 1056, 10, 256, 256, 1056 + 10 + 132},
	} {
		h := heapState{c.live * mib, c.other * mib}
		if got := h.limit(c.cached*mib, c.mayCache*mib); got != c.want*mib {
			t.Errorf("%s: %d MiB, want %d", c.what, got/mib, c.want)
		}
	}
}

// TestUsersLimitStays checks that a limit that the user has set is kept.
func TestUsersLimitStays(t *testing.T) {
	sizes := func() (cached, mayCache uint64) { return 0, 1 << 20 }
	limited := func(patience time.Duration) bool {
		ctx, cancel := context.WithCancel(t.Context())
		before, ended := debug.SetMemoryLimit(-1), make(chan struct{})
		go func() {
			Bound(ctx, sizes)
			close(ended)
		}()
		defer func() { cancel(); <-ended }()
		for begun := time.Now(); time.Since(begun) < patience; {
			debug.FreeOSMemory()
			if debug.SetMemoryLimit(-1) != before {
				return true
			}
			time.Sleep(5 * time.Millisecond)
		}
		return false
	}
	if !limited(time.Minute) {
		t.Error("no limit after collections")
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 40))
	if limited(100 * time.Millisecond) {
		t.Error("the user's limit is replaced")
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		t.Error("the user's limit is gone")
	}
}
