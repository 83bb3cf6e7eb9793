package wptest

import "runtime"

// LiveHeap returns the size of the live heap in bytes.
func LiveHeap() float64 {
	for range 3 { // cleanups of one collection free memory in the next
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
