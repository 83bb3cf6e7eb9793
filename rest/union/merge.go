package union

import (
	"context"

	"golang.org/x/sync/errgroup"

	"calbridge/wpstore/guard"
)

// concurrency limits how many sites one request reads at a time.
const concurrency = 4

// merge returns the first n events of the lists, and reports whether more follow. The keys of the
// events always rise, so a cursor never goes back.
func merge(ctx context.Context, g *guard.Guard, lists []*list, n int) (out []event, more bool, err error) {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(concurrency)
	for _, l := range lists {
		g.GoErr(group, "reading the list of a site", func() error { return l.fetch(groupCtx) })
	}
	if err := group.Wait(); err != nil {
		return nil, false, err
	}
	for {
		l := next(lists)
		switch {
		case l == nil:
			return out, false, nil
		case !l.settled():
			if err := l.fetch(ctx); err != nil {
				return nil, false, err
			}
		case l.taken[l.ready[0].key.id] || len(out) > 0 && l.ready[0].key.compare(out[len(out)-1].key) <= 0:
			l.take() // it moved, or appeared before what was taken, while the list was read
		case len(out) == n:
			return out, true, nil
		default:
			out = append(out, l.take())
		}
	}
}

// next returns the list that has the next event, or may have it once its next page is read. It
// returns nil at the end of all lists.
func next(lists []*list) *list {
	var first *list
	for _, l := range lists {
		low, ok := l.low()
		if !ok {
			continue
		}
		if first == nil {
			first = l
			continue
		}
		lowest, _ := first.low()
		switch {
		case low != lowest:
			if low < lowest {
				first = l
			}
		case !l.settled():
			first = l // its next page may have an event that comes first
		case first.settled() && l.ready[0].key.compare(first.ready[0].key) < 0:
			first = l
		}
	}
	return first
}
