package edit

import (
	"testing"

	"calbridge/wpstore"
)

func TestIsAncestor(t *testing.T) {
	tree := map[int64]wpstore.Term{1: {ID: 1}, 2: {ID: 2, Parent: 1}, 3: {ID: 3, Parent: 2}, 8: {ID: 8, Parent: 9}, 9: {ID: 9, Parent: 8}}
	for _, c := range []struct {
		id, at int64
		want   bool
	}{{1, 3, true}, {3, 3, true}, {3, 1, false}, {1, 0, false}, {5, 3, false}, {1, 8, true}} { // 8 and 9 are a loop
		if got := isAncestor(tree, c.id, c.at); got != c.want {
			t.Errorf("%d above %d: %v", c.id, c.at, got)
		}
	}
}
