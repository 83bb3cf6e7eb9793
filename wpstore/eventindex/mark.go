package eventindex

import (
	"context"
	"slices"

	"calbridge/wpstore"
)

// markKeys are the metadata that lists look at, besides dates, in the order of the kinds
// below. Any row of the first two counts, whatever its value.
var markKeys = []string{"_EventHideFromUpcoming", "_tribe_featured", wpstore.VenueLink, wpstore.OrganizerLink}

// The kinds of marks.
const (
	hiddenMark = iota
	featuredMark
	venueMark
	organizerMark
	noMark
)

// markKind is the kind of a row, noMark for one without meaning.
func markKind(row MarkRow) int {
	if row.Key >= venueMark && (!row.Number || !representable(row.Value)) {
		return noMark
	}
	return row.Key
}

// mark notes a mark.
func (e *eventRows) mark(kind int, value int64) {
	switch kind {
	case hiddenMark:
		e.hidden = true
	case featuredMark:
		e.Featured = true
	case venueMark:
		e.Venues = append(e.Venues, value)
	case organizerMark:
		e.Organizers = append(e.Organizers, value)
	}
}

// mark is a mark of an event of a block: the event's place in the upper 18 of 64 bits, the
// kind in two, the value in the others.
type mark uint64

func markOf(event, kind int, value int64) mark {
	return mark(event)<<(idBits+2) | mark(kind)<<idBits | mark(value)
}

func (m mark) event() int   { return int(m >> (idBits + 2)) }
func (m mark) kind() int    { return int(m >> idBits & 3) }
func (m mark) value() int64 { return int64(m & (1<<idBits - 1)) }

// markPart is about how many rows of metadata are read by one statement, so that it ends in
// time on slow servers too.
const markPart = 250_000

// loadMarks reads the marks of all blocks, each key by its own statements: databases find
// these rows by the key. By the posts they would have to look at all their metadata.
func loadMarks(ctx context.Context, from Source, blocks [][]int64) ([][]mark, error) {
	marks, firsts, events := make([][]mark, len(blocks)), make([]int64, len(blocks)), 0
	for i, block := range blocks {
		marks[i], firsts[i] = []mark{}, block[0]
		events += len(block)
	}
	parts := 1 + events/markPart
	for kind, key := range markKeys {
		block, place := 0, 0 // of the last row
		each := func(row MarkRow) {
			row.Key = kind
			if markKind(row) == noMark {
				return
			}
			if row.Post < blocks[block][0] || row.Post > blocks[block][len(blocks[block])-1] {
				at, found := slices.BinarySearch(firsts, row.Post)
				if !found {
					at--
				}
				block, place = max(at, 0), 0
			}
			ids := blocks[block]
			if place++; place >= len(ids) || ids[place] != row.Post {
				var found bool
				if place, found = slices.BinarySearch(ids, row.Post); !found {
					return
				}
			}
			if kind < venueMark {
				row.Value = 0
			}
			marks[block] = append(marks[block], markOf(place, kind, row.Value))
		}
		for part := range parts {
			if err := from.AllMarks(ctx, key, part, parts, each); err != nil {
				return nil, err
			}
		}
	}
	return marks, nil
}
