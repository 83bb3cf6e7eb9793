package wpstore

import "testing"

// A page determines the total if it is the last one; a page beyond the end doesn't.
func TestTotalOfPage(t *testing.T) {
	for _, c := range []struct {
		rows          int
		limit, offset int64
		total         int64
		known         bool
	}{
		{3, 10, 0, 3, true},
		{3, 10, 20, 23, true},
		{3, 10, -5, 3, true},
		{0, 10, 0, 0, true},
		{10, 10, 0, 0, false},
		{0, 10, 20, 0, false},
	} {
		total, known := TotalOfPage(c.rows, c.limit, c.offset)
		if known != c.known || known && total != c.total {
			t.Errorf("%d rows of %d from %d: %d %v, want %d %v", c.rows, c.limit, c.offset, total, known, c.total, c.known)
		}
	}
}
