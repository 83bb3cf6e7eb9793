package wpstore

import "calbridge/wpstore/listing"

// ReadyFor says whether lists in an order are found without sorting them.
func (l *Listing) ReadyFor(o listing.Order) bool {
	x := l.current.Load()
	return x != nil && x.index.Ready(o)
}
