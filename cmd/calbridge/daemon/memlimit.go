package daemon

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// By default the garbage collector runs when the heap has doubled, so that a process with a full
// cache would take twice the size of the cache. The memory limit prevents that. It is adjusted
// after each collection, and leaves room for the rest of the cache and for garbage in proportion.

// LeastGarbage is the room for garbage with a small cache, in bytes.
const LeastGarbage = 32 << 20

// reserve is the size of address space that is never backed by memory, in bytes. It counts as
// live heap. Without it, the garbage collector of a server with an empty cache would run at
// every second response.
const reserve = 32 << 20

// Reserve returns memory that is never used. The caller keeps it alive.
func Reserve() []byte { return make([]byte, reserve) }

// heapState describes the heap after a collection, in bytes.
type heapState struct {
	live  uint64 // objects in use
	other uint64 // everything else: stacks, the runtime's own memory, gaps
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

// limit returns how much memory the process may take: its current memory, the unused part of
// the caches, and garbage.
func (h heapState) limit(cached, mayCache uint64) int64 {
	// A quarter of the garbage's room becomes resident, because the runtime stays below its
	// limit and the unused reserve counts as live.
	garbage := max(LeastGarbage, mayCache*5/16, h.live/8)
	return int64(h.live + h.other + mayCache - min(cached, mayCache) + garbage)
}

// Bound limits the process's memory by the size of the caches until the context ends. It keeps
// a limit that the user has set (GOMEMLIMIT).
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
			// Small changes are not worth the call.
			if next := readHeap().limit(sizes()); next < limit-limit/64 || next > limit+limit/64 {
				limit = next
				debug.SetMemoryLimit(limit)
			}
		}
	}
}

// afterCollection sends a signal on the channel after the next garbage collection.
func afterCollection(collected chan<- struct{}) {
	garbage := &[64]byte{}
	runtime.AddCleanup(garbage, func(collected chan<- struct{}) {
		select {
		case collected <- struct{}{}:
		default:
		}
	}, collected)
}
