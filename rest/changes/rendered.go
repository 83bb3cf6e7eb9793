package changes

import (
	"encoding/binary"

	"github.com/maypok86/otter/v2"

	"calbridge/rest/wpsite"
	"calbridge/wpstore/journal"
)

// renderedBytes bounds the JSON of pages that is kept, in bytes.
const renderedBytes = 8 << 20

// pageKey is what the JSON of the events of a page depends on, if nobody is logged in and
// none of them depends on the time: what is in the database at a position of the journal,
// where the request was sent to, and which events there are.
type pageKey struct {
	at    journal.Position
	place wpsite.Place
	ids   hash
}

// pages have the events of pages that were rendered at the last positions: the clients of a
// list ask for the same events after they have changed.
type pages struct{ *otter.Cache[pageKey, []item] }

func newPages() pages {
	return pages{otter.Must(&otter.Options[pageKey, []item]{
		MaximumWeight: renderedBytes,
		Weigher: func(_ pageKey, items []item) (bytes uint32) {
			for _, i := range items {
				bytes += uint32(cap(i.json)) + 48
			}
			return bytes + 200
		},
	})}
}

// pageKey returns the key of a page of events; ok is false if it has none.
func (s *session) pageKey(ids []int64) (key pageKey, ok bool) {
	code := make([]byte, 0, 8*len(ids))
	for _, id := range ids {
		code = binary.BigEndian.AppendUint64(code, uint64(id))
	}
	return pageKey{s.position, *s.r.Place, hashOf(code)}, !s.r.Viewer.Known()
}
