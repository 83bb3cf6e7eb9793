package invalidation

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDependencies(t *testing.T) {
	var none *Dependencies
	none.On(Post, 1)
	none.OnSet(Posts)
	none.OnTags([]Tag{{Post, 1}})
	d := NewDependencies()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			d.On(Post, 2, 1)
			d.OnSet(Posts)
			d.OnTags([]Tag{{Post, 1}, {Term, 7}})
		})
	}
	group.Wait()
	got := d.Tags()
	slices.SortFunc(got, func(a, b Tag) int { return 100*(int(a.Kind)-int(b.Kind)) + int(a.ID-b.ID) })
	if diff := cmp.Diff([]Tag{{Post, 1}, {Post, 2}, {Term, 7}, {Posts, 0}}, got); diff != "" {
		t.Error(diff)
	}
}
