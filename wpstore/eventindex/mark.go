package eventindex

import (
	"context"
	"slices"

	"calbridge/wpstore"
	"calbridge/wpstore/guard"
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

// markKind returns the kind of a row, noMark for one without meaning.
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

// mark is a mark of an event of a block: the event's place in the upper 20 of 64 bits, the
// value in the others.
type mark uint64

func markOf(event int, value int64) mark { return mark(event)<<idBits | mark(value) }

func (m mark) event() int   { return int(m >> idBits) }
func (m mark) value() int64 { return int64(m & (1<<idBits - 1)) }

// markPart is about how many rows of metadata are read by one statement, so that it ends in
// time on slow servers too.
const markPart = 500_000

// blockMarks are the marks of each block, by kinds.
type blockMarks [noMark][][]mark

// take returns those of a block, and forgets them.
func (m *blockMarks) take(block int) *[noMark][]mark {
	if m == nil {
		return nil
	}
	var out [noMark][]mark
	for kind := range m {
		out[kind], m[kind][block] = m[kind][block], nil
	}
	return &out
}

// loadMarks reads the marks of all blocks, each key by its own statements: databases find
// these rows by the key. By the posts they would have to look at all their metadata.
func loadMarks(ctx context.Context, g *guard.Guard, from Source, blocks [][]int64) (*blockMarks, error) {
	firsts, events := make([]int64, len(blocks)), 0
	for i, block := range blocks {
		firsts[i] = block[0]
		events += len(block)
	}
	parts := 1 + events/markPart
	var marks blockMarks
	err := inParallel(ctx, g, noMark, func(ctx context.Context, _, i int) error {
		kind := noMark - 1 - i // the most frequent first
		c := markCollector{kind: kind, blocks: blocks, firsts: firsts, marks: make([][]mark, len(blocks))}
		marks[kind] = c.marks
		for part := range parts {
			if err := from.AllMarks(ctx, markKeys[kind], part, parts, c.add); err != nil {
				return err
			}
		}
		return nil
	})
	return &marks, err
}

// markCollector sorts marks of one kind into blocks.
type markCollector struct {
	kind   int
	blocks [][]int64
	firsts []int64 // ids of the blocks
	marks  [][]mark
	// block and place are those of the last row: the next event's is next to it as a rule.
	block, place int
}

func (c *markCollector) add(row MarkRow) {
	row.Key = c.kind
	if markKind(row) == noMark {
		return
	}
	if ids := c.blocks[c.block]; row.Post < ids[0] || row.Post > ids[len(ids)-1] {
		at, found := slices.BinarySearch(c.firsts, row.Post)
		if !found {
			at--
		}
		c.block, c.place = max(at, 0), 0
	}
	ids := c.blocks[c.block]
	if c.place++; c.place >= len(ids) || ids[c.place] != row.Post {
		var found bool
		if c.place, found = slices.BinarySearch(ids, row.Post); !found {
			return
		}
	}
	if c.kind < venueMark {
		row.Value = 0
	}
	c.marks[c.block] = append(c.marks[c.block], markOf(c.place, row.Value))
}
