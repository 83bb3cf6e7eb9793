package proof

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// State is the state of a shape's proof.
type State string

// The states.
const (
	// Proving means that there are too few identical responses so far.
	Proving State = "proving"
	Proven  State = "proven"
	// Differing means that the last difference is more recent than a proof.
	Differing State = "differing"
	// Unstable means that two responses of WordPress to the same request differed.
	Unstable State = "unstable"
)

// States lists all states.
func States() []State { return []State{Proving, Proven, Differing, Unstable} }

// Proof describes what is known about a shape.
type Proof struct {
	Shape
	State State `json:"state"`
	// Identical is the number of identical responses in a row that count, from First to Last.
	Identical int       `json:"identical"`
	First     time.Time `json:"first,omitzero"`
	Last      time.Time `json:"last,omitzero"`
	// Kept reports that it was proven before a restart, or before a comparison that was
	// inconclusive. The next identical response proves it again.
	Kept bool `json:"kept,omitempty"`
	// Natives counts requests answered natively, Differences the comparisons that ended or
	// prevented a proof.
	Natives     int64 `json:"answered_natively"`
	Differences int64 `json:"differences"`
	// Difference is the last one, by field, without values.
	Difference *Difference `json:"difference,omitempty"`
}

// Difference describes where responses differ.
type Difference struct {
	At     time.Time `json:"at"`
	Fields []string  `json:"fields"`
	// Causes are likely ones, the likeliest first: "plugins/members", "mu-plugins/a.php",
	// "themes/b", "table guards", or the name of a fact.
	Causes []string `json:"likely_causes,omitempty"`
}

// Book has the proofs of shapes. It is safe for concurrent use.
type Book struct {
	settings *Settings
	mu       sync.RWMutex
	entries  map[Shape]*entry
	resets   int
}

func newBook(s *Settings) *Book { return &Book{settings: s, entries: map[Shape]*entry{}} }

// find returns the entry of a shape, or nil if there is none.
func (b *Book) find(s Shape) *entry {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.entries[s]
}

// open returns the entry of a shape, and adds one if there is none.
func (b *Book) open(s Shape) *entry {
	if e := b.find(s); e != nil {
		return e
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.entries[s]; e != nil {
		return e
	}
	if len(b.entries) >= b.settings.maxShapes() {
		b.evict()
	}
	e := &entry{shape: s, proof: Proof{Shape: s, State: Proving}}
	b.entries[s] = e
	return e
}

// evict removes the shape that was compared longest ago, preferably an unproven one. Clients can
// make up combinations of arguments, but not prove them cheaply.
func (b *Book) evict() {
	var oldest *entry
	for _, e := range b.entries {
		if oldest == nil || oldest.proven.Load() && !e.proven.Load() ||
			oldest.proven.Load() == e.proven.Load() && e.compared.Load() < oldest.compared.Load() {
			oldest = e
		}
	}
	oldest.proven.Store(false) // answers in memory may still refer to it
	delete(b.entries, oldest.shape)
}

// reset ends all proofs and returns their number. Differences are dropped too, since they may no
// longer exist.
func (b *Book) reset() (ended int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.entries {
		if e.proven.Swap(false) {
			ended++
		}
	}
	b.entries = map[Shape]*entry{}
	b.resets++
	return ended
}

// restore adds shapes that were proven, unless something has ended all proofs since. first is
// called before that.
func (b *Book) restore(shapes []SavedShape, now time.Time, first func()) (restored int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.resets > 0 {
		return 0
	}
	first()
	for _, s := range shapes {
		if s.Route == "" || s.Identical < b.settings.Comparisons || now.Sub(s.First) < b.settings.Time {
			continue
		}
		e := b.entries[s.Shape]
		if e == nil {
			if len(b.entries) >= b.settings.maxShapes() {
				break
			}
			e = &entry{shape: s.Shape, proof: Proof{Shape: s.Shape, State: Proving}}
			e.compared.Store(now.UnixNano()) // what was never compared is forgotten before it
			b.entries[s.Shape] = e
		}
		if e.restore(s) {
			restored++
		}
	}
	return restored
}

// takeOver adds the proofs of another book, except for shapes of which this one has more. doubtful
// reports that something has ended proofs meanwhile. first is called before anything is added.
func (b *Book) takeOver(from *Book, first func()) (taken int, doubtful bool) {
	from.mu.RLock()
	defer from.mu.RUnlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.resets > 0 {
		return 0, true
	}
	first()
	for shape, old := range from.entries {
		e := b.entries[shape]
		if e == nil {
			if len(b.entries) >= b.settings.maxShapes() {
				continue
			}
			e = &entry{shape: shape, proof: Proof{Shape: shape, State: Proving}}
			b.entries[shape] = e
		}
		same, contradicts := e.takeOver(old)
		if same {
			taken++
		}
		doubtful = doubtful || contradicts
	}
	return taken, doubtful
}

// states counts the shapes by state.
func (b *Book) states() map[State]int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	counts := map[State]int{}
	for _, e := range b.entries {
		counts[e.state()]++
	}
	return counts
}

// Proofs lists all proofs, sorted by shape.
func (b *Book) Proofs() []Proof {
	b.mu.RLock()
	defer b.mu.RUnlock()
	all := make([]Proof, 0, len(b.entries))
	for _, e := range b.entries {
		all = append(all, e.snapshot())
	}
	slices.SortFunc(all, func(a, b Proof) int { return strings.Compare(a.key(), b.key()) })
	return all
}

func (s *Shape) key() string {
	return s.Route + "\x00" + s.Arguments + "\x00" + s.Language + "\x00" + s.Answer + "\x00" + s.Site + "\x00" + strconv.FormatBool(s.Composed)
}
