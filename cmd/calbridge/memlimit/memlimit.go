// Package memlimit bounds the memory of the process by what its caches hold. It
// imports nothing of calbridge.
package memlimit

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The garbage collector by itself runs when the heap has doubled: with a full cache
// the process would take twice what is cached. Its memory limit, which is moved after
// each collection, leaves room instead for what is not cached yet, and for garbage in
// proportion to what is cached.

// LeastGarbage, in bytes, is what may become garbage before it is collected, however
// little is cached.
const LeastGarbage = 32 << 20

// reserve, in bytes, takes up addresses alone. The garbage collector, which runs
// whenever the heap has doubled, thus runs after that many bytes and not after the
// few that a server without a full cache has in use, which would be at every second
// answer.
const reserve = 32 << 20

// Reserve returns memory that is never used, for the caller to hold on to.
func Reserve() []byte { return make([]byte, reserve) }

// heapState is what the runtime says after a collection, in bytes.
type heapState struct {
	live  uint64 // found to be in use by the collection
	other uint64 // all memory but the heap's objects: stacks, the runtime's own, gaps
}

func readHeap() heapState {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	other := samples[1].Value.Uint64()
	for _, s := range samples[2:] {
		other -= s.Value.Uint64()
	}
	return heapState{samples[0].Value.Uint64(), other}
}

// limit is the memory that the process may take: what it has, what it may still keep,
// and garbage.
func (h heapState) limit(cached, mayCache uint64) int64 {
	// Resident is a quarter: the runtime stays below its limit, and the reserve, which
	// is never used, counts as live.
	garbage := max(LeastGarbage, mayCache*5/16, h.live/8)
	return int64(h.live + h.other + mayCache - min(cached, mayCache) + garbage)
}

// Bound bounds the process's memory by what is cached and may be, until the
// context ends. It leaves a limit alone that the user has set (GOMEMLIMIT).
func Bound(ctx context.Context, sizes func() (cached, mayCache uint64)) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	defer debug.SetMemoryLimit(math.MaxInt64)
	collected := make(chan struct{}, 1)
	for limit := int64(0); ; {
		afterCollection(collected)
		select {
		case <-ctx.Done():
			return
		case <-collected:
			// Small steps are not worth it.
			if next := readHeap().limit(sizes()); next < limit-limit/64 || next > limit+limit/64 {
				limit = next
				debug.SetMemoryLimit(limit)
			}
		}
	}
}

// afterCollection signals the next collection of garbage on the channel.
func afterCollection(collected chan<- struct{}) {
	garbage := &[64]byte{}
	runtime.AddCleanup(garbage, func(collected chan<- struct{}) {
		select {
		case collected <- struct{}{}:
		default:
		}
	}, collected)
}
