package metrics

import "sync"

// watched holds functions that are called at each scrape, one for each site that is open. It is safe
// for concurrent use.
type watched[T any] struct {
	mu   sync.Mutex
	next int
	all  map[int]func() T
}

// add adds a function until stop is called.
func (w *watched[T]) add(f func() T) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[int]func() T{}
	}
	n := w.next
	w.next++
	w.all[n] = f
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.all, n)
	}
}

// values returns what the functions return.
func (w *watched[T]) values() []T {
	w.mu.Lock()
	functions := make([]func() T, 0, len(w.all))
	for _, f := range w.all {
		functions = append(functions, f)
	}
	w.mu.Unlock()
	values := make([]T, 0, len(functions))
	for _, f := range functions {
		values = append(values, f())
	}
	return values
}
