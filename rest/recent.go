package rest

import "sync"

// recent keeps what was used lately, bounded in size. It has two generations: what
// is used goes into the young one, and when that has half of the size, it becomes
// the old one, whose rest is dropped. It is safe for concurrent use.
type recent[K comparable, V any] struct {
	limit int // of the sizes that put is told, in all; 0 keeps nothing

	mu         sync.Mutex
	young, old map[K]sized[V]
	size       int // of the young ones
	oldSize    int
}

type sized[V any] struct {
	value V
	size  int
}

func (r *recent[K, V]) get(key K) (value V, ok bool) {
	if r.limit <= 0 {
		return value, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if kept, ok := r.young[key]; ok {
		return kept.value, true
	}
	kept, ok := r.old[key]
	if ok {
		r.dropOld(key)
		r.add(key, kept)
	}
	return kept.value, ok
}

// put keeps a value of some size. What alone would take half of the room is not
// kept.
func (r *recent[K, V]) put(key K, value V, size int) {
	if size > r.limit/2 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropOld(key)
	r.add(key, sized[V]{value, size})
}

func (r *recent[K, V]) dropOld(key K) {
	r.oldSize -= r.old[key].size
	delete(r.old, key)
}

// kept is the sum of the sizes of all that is kept.
func (r *recent[K, V]) kept() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.size + r.oldSize
}

func (r *recent[K, V]) add(key K, kept sized[V]) {
	r.size -= r.young[key].size
	if r.size+kept.size > r.limit/2 {
		delete(r.young, key)
		r.young, r.old = nil, r.young
		r.size, r.oldSize = 0, r.size
	}
	if r.young == nil {
		r.young = map[K]sized[V]{}
	}
	r.young[key] = kept
	r.size += kept.size
}
