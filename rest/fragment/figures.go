package fragment

import (
	"maps"
	"sync"
	"sync/atomic"
)

// Ending is the cause that ended a fragment. It is a metric label.
type Ending string

// The endings.
const (
	EndRows       Ending = "rows"       // of the object have changed
	EndHidden     Ending = "hidden"     // something of the site was hidden
	EndAge        Ending = "age"        // it was not requested for too long
	EndTime       Ending = "time"       // our own rendering changes without a change of rows
	EndDifference Ending = "difference" // WordPress sent other bytes, although no row of the object had changed
	EndFacts      Ending = "facts"      // the code or the settings have changed
	EndObjects    Ending = "objects"    // an unknown table has changed, or WordPress refuses what it showed
	EndRoom       Ending = "room"       // others took its memory
)

// Endings lists all of them.
func Endings() []Ending {
	return []Ending{EndRows, EndHidden, EndAge, EndTime, EndDifference, EndFacts, EndObjects, EndRoom}
}

// Figures are the figures of a Store.
type Figures struct {
	// Held is the number of fragments, Bytes their memory.
	Held  int    `json:"held"`
	Bytes uint64 `json:"bytes"`
	// Volatile is the number of objects that are not served because their rendering varies.
	Volatile int `json:"volatile"`
	// Hits counts composed responses, Misses those for which a fragment was missing, and Fills the
	// objects that WordPress has sent.
	Hits   int64 `json:"hits"`
	Misses int64 `json:"misses"`
	Fills  int64 `json:"fills"`
	// Endings counts what ended fragments.
	Endings map[Ending]int64 `json:"endings,omitempty"`
}

// Sum returns the figures of several sites together.
func Sum(all []Figures) Figures {
	sum := Figures{Endings: map[Ending]int64{}}
	for _, f := range all {
		sum.Held, sum.Bytes, sum.Volatile = sum.Held+f.Held, sum.Bytes+f.Bytes, sum.Volatile+f.Volatile
		sum.Hits, sum.Misses, sum.Fills = sum.Hits+f.Hits, sum.Misses+f.Misses, sum.Fills+f.Fills
		for why, n := range f.Endings {
			sum.Endings[why] += n
		}
	}
	return sum
}

// Figures returns the current figures.
func (s *Store) Figures() Figures {
	f := Figures{Held: s.held.EstimatedSize(), Bytes: s.held.WeightedSize(), Hits: s.counts.hits.Load(), Misses: s.counts.misses.Load(), Fills: s.counts.fills.Load(), Endings: s.counts.all()}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.places {
		f.Volatile += len(p.volatile)
	}
	return f
}

// counts are the counters of a Store.
type counts struct {
	hits, misses, fills atomic.Int64

	mu      sync.Mutex
	endings map[Ending]int64
}

func (c *counts) ended(why Ending) { c.ends(why, 1) }

func (c *counts) ends(why Ending, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.endings == nil {
		c.endings = map[Ending]int64{}
	}
	c.endings[why] += n
}

func (c *counts) all() map[Ending]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.endings)
}
