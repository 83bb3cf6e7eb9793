package recent

import "testing"

// TestRecent fills a cache: it stays below its bound and keeps what is used.
func TestRecent(t *testing.T) {
	r := New[int, int](100)
	for i := range 1000 {
		r.Put(i, -i, 10)
		if v, ok := r.Get(0); !ok || v != 0 {
			t.Fatalf("the entry in use is gone after %d", i)
		}
		total := 0
		for _, m := range []map[int]entry[int]{r.young, r.old} {
			for _, e := range m {
				total += e.size
			}
		}
		if total > 100 {
			t.Fatalf("%d are kept", total)
		}
	}
	if v, ok := r.Get(999); !ok || v != -999 {
		t.Error("the last entry is not kept")
	}
	if _, ok := r.Get(500); ok {
		t.Error("an old entry is kept")
	}
	r.Put(1, 1, 51)
	if _, ok := r.Get(1); ok {
		t.Error("an entry of half the size is kept")
	}
	none := New[int, int](0)
	none.Put(1, 1, 0)
	if _, ok := none.Get(1); ok {
		t.Error("kept without any room")
	}
}
