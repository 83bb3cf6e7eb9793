package proof

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/rest/fragment"
	"calbridge/wpstore/invalidation"
)

// place is where objects are shown: a route in a language, under an address of the site.
type place struct{ route, language, site string }

// closedKey names an object that WordPress has refused under an address of the site. A client can
// choose another name or scheme, so a refusal there closes nothing for others.
type closedKey struct {
	tag  invalidation.Tag
	site string
}

// seenKey names an object that was shown somewhere.
type seenKey struct {
	id    int64
	place uint16
	kind  invalidation.Kind
}

// sight records when an object was shown last.
type sight struct {
	generation uint64 // of the tracker, from before the comparison
	at         int64  // Unix time in nanoseconds, from before the comparison
}

// Objects records which posts and terms WordPress has shown to an anonymous client, in which
// places, and which it has refused or left out. It is safe for concurrent use.
type Objects struct {
	tracker *invalidation.Tracker
	max     int
	now     func() time.Time
	// version grows whenever an object that was open may no longer be, apart from changes
	// of rows, which the tracker counts.
	version atomic.Uint64

	mu sync.RWMutex
	// ends is the number of times that all proofs ended: a comparison from before proves nothing
	// after.
	ends   uint64
	places map[place]uint16
	seen   map[seenKey]sight
	// closed has the tracker's generation from before the comparison.
	closed map[closedKey]uint64
}

func newObjects(tracker *invalidation.Tracker, most int, now func() time.Time) *Objects {
	o := &Objects{tracker: tracker, max: most, now: now}
	o.forget()
	return o
}

func (o *Objects) forget() {
	o.places, o.seen, o.closed = map[place]uint16{}, map[seenKey]sight{}, map[closedKey]uint64{}
}

// isObject reports whether a tag names a single thing, other than a set.
func isObject(tag invalidation.Tag) bool { return tag.ID != 0 }

// maxPlaces bounds the places; there are as many as routes times languages times addresses.
const maxPlaces = 1 << 15

// Stamp is the time at which a comparison begins.
type Stamp struct {
	generation uint64 // of the tracker
	ends       uint64
	at         int64  // Unix time in nanoseconds
	changes    uint64 // number of changes of what calbridge doesn't know
	fragments  fragment.Stamp
}

// stamp returns the current stamp.
func (o *Objects) stamp() Stamp {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return Stamp{generation: o.tracker.Generation(), ends: o.ends, at: o.now().UnixNano()}
}

// current reports whether nothing has ended all proofs since a stamp.
func (o *Objects) current(s Stamp) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.ends == s.ends
}

// show records that a response that depends on the tags was identical to WordPress's. The stamp is
// from before both requests.
func (o *Objects) show(at place, begun Stamp, tags []invalidation.Tag) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ends == begun.ends {
		o.add(at, sight{begun.generation, begun.at}, tags)
	}
}

// add records that objects were seen.
func (o *Objects) add(at place, s sight, tags []invalidation.Tag) {
	number, ok := o.places[at]
	if !ok {
		if len(o.places) >= maxPlaces {
			return
		}
		number = uint16(len(o.places))
		o.places[at] = number
	}
	for _, tag := range tags {
		if !isObject(tag) {
			continue
		}
		if len(o.seen) >= o.max {
			o.evict()
		}
		k := seenKey{tag.ID, number, tag.Kind}
		before := o.seen[k]
		o.seen[k] = sight{max(before.generation, s.generation), max(before.at, s.at)}
	}
}

// evict makes room by removing an eighth of the objects, any of them: they are seen again when they
// are requested.
func (o *Objects) evict() {
	n := 0
	for k := range o.seen {
		if n++; n > o.max/8+1 {
			break
		}
		delete(o.seen, k)
	}
}

// openness reports whether a response may be shown.
type openness int

const (
	unseen openness = iota
	closed
	allOpen
)

// check reports whether all objects among the tags were seen in a place since they changed last, and
// since a Unix time in nanoseconds. oldest is such a time too: that of the object that was seen longest
// ago, or the current one if there are no objects.
func (o *Objects) check(at place, tags []invalidation.Tag, since int64) (found openness, oldest int64) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	number, ok := o.places[at]
	found, oldest = allOpen, o.now().UnixNano()
	for _, tag := range tags {
		if !isObject(tag) {
			continue
		}
		if since, is := o.closed[closedKey{tag, at.site}]; is && o.fresh(since, tag) {
			return closed, 0
		}
		if !ok || found == unseen {
			found = unseen
			continue
		}
		last, is := o.seen[seenKey{tag.ID, number, tag.Kind}]
		if !is || last.at < since || !o.fresh(last.generation, tag) {
			found = unseen
		}
		oldest = min(oldest, last.at)
	}
	return found, oldest
}

// allClosed reports whether all of these objects are closed already.
func (o *Objects) allClosed(at place, tags []invalidation.Tag) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return !slices.ContainsFunc(tags, func(tag invalidation.Tag) bool {
		since, is := o.closed[closedKey{tag, at.site}]
		return !is || !o.fresh(since, tag)
	})
}

func (o *Objects) fresh(since uint64, tag invalidation.Tag) bool {
	return o.tracker.Fresh(since, []invalidation.Tag{tag})
}

// refuse records that WordPress has refused objects or left them out. contradicts reports that one
// of them was seen in this place before, and hasn't changed since.
func (o *Objects) refuse(at place, begun Stamp, tags []invalidation.Tag) (contradicts bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	number, known := o.places[at]
	for _, tag := range tags {
		if !isObject(tag) {
			continue
		}
		k := seenKey{tag.ID, number, tag.Kind}
		if last, is := o.seen[k]; known && is {
			contradicts = contradicts || o.fresh(last.generation, tag)
			delete(o.seen, k)
		}
		if len(o.closed) >= o.max/8+1 {
			clear(o.closed) // they aren't shown anyway until they are seen
		}
		o.closed[closedKey{tag, at.site}] = begun.generation
	}
	o.version.Add(1)
	return contradicts
}

// end ends the proofs of all objects. Closed objects stay closed.
func (o *Objects) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = map[seenKey]sight{}
	o.ends++
	o.version.Add(1)
}

// reset forgets everything.
func (o *Objects) reset() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.forget()
	o.ends++
	o.version.Add(1)
}

// sighting is an object that was seen in a place.
type sighting struct {
	place place
	tag   invalidation.Tag
	at    int64 // as in sight
}

// unchanged lists the seen and closed objects that have not changed since.
func (o *Objects) unchanged() (seen []sighting, closed []closedKey) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	places := make([]place, len(o.places))
	for at, number := range o.places {
		places[number] = at
	}
	for k, last := range o.seen {
		if tag := (invalidation.Tag{Kind: k.kind, ID: k.id}); o.fresh(last.generation, tag) {
			seen = append(seen, sighting{places[k.place], tag, last.at})
		}
	}
	for k, since := range o.closed {
		if o.fresh(since, k.tag) {
			closed = append(closed, k)
		}
	}
	return seen, closed
}

// takeOver adds the objects of others that have not changed since a stamp, which belongs to o. It
// adds nothing if something has ended the proofs of objects since, or if objects that others have
// seen were refused since.
func (o *Objects) takeOver(from *Objects, begun Stamp) (taken int) {
	seen, closed := from.unchanged()
	o.mu.Lock()
	defer o.mu.Unlock()
	refused := func(s sighting) bool {
		since, is := o.closed[closedKey{s.tag, s.place.site}]
		return is && o.fresh(since, s.tag)
	}
	if o.ends != begun.ends || slices.ContainsFunc(seen, refused) {
		return 0
	}
	for _, s := range seen {
		o.add(s.place, sight{begun.generation, s.at}, []invalidation.Tag{s.tag})
	}
	for _, k := range closed {
		if len(o.closed) < o.max/8+1 {
			o.closed[k] = max(o.closed[k], begun.generation)
		}
	}
	return len(seen)
}

// Sizes returns the numbers of stored objects, including those that have changed since.
func (o *Objects) Sizes() (seen, closed int) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return len(o.seen), len(o.closed)
}
