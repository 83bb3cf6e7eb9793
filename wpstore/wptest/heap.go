package wptest

import "runtime"

// LiveHeap is what the heap holds, in bytes, when nothing is left to collect.
func LiveHeap() float64 {
	for range 3 { // what is cleaned up after one collection goes in the next
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
