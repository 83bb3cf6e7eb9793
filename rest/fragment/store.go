package fragment

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"calbridge/wpstore/invalidation"
)

// Config configures a Store.
type Config struct {
	// Tracker records the changes of rows.
	Tracker *invalidation.Tracker
	// MaxAge limits how long a fragment is served after WordPress has last sent it, and
	// StaleIfError how long while WordPress is down.
	MaxAge, StaleIfError time.Duration
	// Apart is the least time between the two identical fills that prove a place.
	Apart time.Duration
	// Bytes bounds the memory of all fragments.
	Bytes int64
	Now   func() time.Time
}

// Store holds the fragments of a site. It is safe for concurrent use.
type Store struct {
	cfg  Config
	seed maphash.Seed
	held *otter.Cache[key, *fragment]
	// version grows whenever a fragment that could be served may no longer be, apart from changes of
	// rows and age.
	version atomic.Uint64
	// hidings counts how often something was hidden anywhere on the site.
	hidings atomic.Uint64
	// ends counts how often all fragments ended, such as for a change of an unknown table.
	ends   atomic.Uint64
	counts counts

	mu     sync.Mutex // held while fragments are filled
	places map[Place]*place
	// latest has the last fill of each object, so that the fragment of the one before doesn't stay in
	// memory, and that changes are noticed after End.
	latest map[objectAt]rendered
}

// Place identifies the responses that render an object in the same way.
type Place struct {
	Route    string // template, which also distinguishes lists from single objects
	Language string // of the request, "" for none
	Site     string // scheme and host
	// Fields identifies the value of the parameter _fields; "" without it. Exports for Outlook have their
	// own.
	Fields string
}

// place records which objects of a Place are stable, and which vary.
type place struct {
	// stable holds the objects of which two fills, Config.Apart apart, were identical.
	stable map[int64]bool
	// positional reports that renderings depend on all objects before them in other ways than by
	// markup.
	positional bool
	// volatile holds the objects that differ between two responses of WordPress although nothing has
	// changed, and members the names of the members that differ. These objects are never served.
	volatile map[int64]bool
	members  map[string]bool
	// slips counts how often bytes differed although no row of the site had changed since the fill.
	slips int
}

// Bounds of what a Store records.
const (
	maxPlaces = 512
	maxLatest = 1 << 16
	// maxSlips is the number of unexplained changes in a place after which an object is volatile.
	maxSlips = 3
	// stablePerVolatile is the number of stable objects that a place needs for each volatile one, so
	// that what varies only sometimes isn't taken for stable.
	stablePerVolatile = 10
	// maxVolatile bounds the volatile objects of a place that are distinguished. maxMembers bounds
	// the names of members.
	maxVolatile = 32
	maxMembers  = 8
	// maxName is the length to which their names are cut, in bytes.
	maxName = 64
)

// key identifies a fragment. ours is the hash of our own rendering of the object. before is the hash of the fragments before the object if its
// rendering may depend on them, else 0.
type key struct {
	place        Place
	id           int64
	ours, before uint64
}

// objectAt is an object of a place.
type objectAt struct {
	place Place
	id    int64
}

// rendered has the hashes of both renderings of an object.
type rendered struct {
	ours, theirs uint64
	generation   uint64 // from before the request to WordPress
}

// fragment is the text of one object as WordPress has sent it. It is immutable except for aged.
type fragment struct {
	// text is nil if WordPress's rendering is the same as ours.
	text []byte
	// foreign names the members in which the two differ. markup reports that one of them has markup.
	foreign []string
	markup  bool
	after   uint64 // the hash of all objects before it
	tags    []invalidation.Tag
	begun   Stamp     // of the last fill that confirmed it
	first   time.Time // of the first fill with these bytes
	filled  time.Time // of the last one
	until   time.Time // when our own rendering changes without a change of rows; zero for never
	// aged reports that its age was counted as its end.
	aged atomic.Bool
}

// Stamp identifies the state before a request to WordPress. Take it before sending.
type Stamp struct{ generation, hidings, ends uint64 }

// New returns an empty Store.
func New(c Config) *Store {
	s := &Store{cfg: c, seed: maphash.MakeSeed(), places: map[Place]*place{}, latest: map[objectAt]rendered{}}
	s.held = otter.Must(&otter.Options[key, *fragment]{
		MaximumWeight: uint64(max(c.Bytes, 1)),
		Weigher:       func(k key, f *fragment) uint32 { return f.weight(k) },
		OnDeletion: func(e otter.DeletionEvent[key, *fragment]) {
			if e.Cause == otter.CauseOverflow {
				s.counts.ended(EndRoom)
			}
		},
	})
	return s
}

// Weights in bytes, as TestWeight measures them.
const (
	fixedWeight  = 420
	tagWeight    = 16
	memberWeight = 16
)

// weight returns the memory that a fragment takes.
func (f *fragment) weight(key) uint32 {
	return uint32(fixedWeight + cap(f.text) + tagWeight*cap(f.tags) + memberWeight*cap(f.foreign))
}

// Begin returns the current state.
func (s *Store) Begin() Stamp {
	return Stamp{s.cfg.Tracker.Generation(), s.hidings.Load(), s.ends.Load()}
}

// Version returns a number that grows whenever something that was composed may no longer be served,
// apart from changes of rows and age.
func (s *Store) Version() uint64 { return s.version.Load() }

// Hide ends all fragments that differ from our rendering, because a post, term, attachment or user
// was hidden, and they may show it.
func (s *Store) Hide() {
	s.hidings.Add(1)
	s.version.Add(1)
}

// End drops all fragments. Places stay proven.
func (s *Store) End(why Ending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end(why)
}

func (s *Store) end(why Ending) {
	s.ends.Add(1)
	if n := s.held.EstimatedSize(); n > 0 {
		s.counts.ends(why, int64(n))
	}
	s.held.InvalidateAll()
	s.version.Add(1)
}

// Reset drops all fragments and proofs of places, because the code or the settings of the site have
// changed.
func (s *Store) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.places, s.latest = map[Place]*place{}, map[objectAt]rendered{}
	s.end(EndFacts)
}

// Proven reports whether fragments of a place may be served.
func (s *Store) Proven(at Place) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.places[at]
	return p != nil && p.proven()
}

func (p *place) proven() bool {
	return len(p.volatile) < maxVolatile && len(p.stable) >= max(1, stablePerVolatile*len(p.volatile))
}

// served returns the outcome for a response before its fragments are looked up. positional reports
// that they depend on all objects before them.
func (s *Store) served(at Place, ours *Document) (o Outcome, positional bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.places[at]
	if p == nil {
		return Missing, false
	}
	for _, o := range ours.objects {
		if p.volatile[o.id] {
			return Varying, false
		}
	}
	switch {
	case p.proven():
		return Complete, p.positional
	case len(p.volatile) > 0:
		return Varying, false
	}
	return Missing, false
}

// Used reports whether a place has fragments at all.
func (s *Store) Used(at Place) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.places[at] != nil
}

// ended returns why a fragment must not be served any longer; "" if it may be. away reports that
// WordPress is down.
func (s *Store) ended(f *fragment, now time.Time, away bool) Ending {
	age := s.cfg.MaxAge
	if away {
		age = max(age, s.cfg.StaleIfError)
	}
	switch {
	case !s.cfg.Tracker.Fresh(f.begun.generation, f.tags):
		return EndRows
	case f.foreign != nil && f.begun.hidings != s.hidings.Load():
		return EndHidden
	case !f.until.IsZero() && !now.Before(f.until):
		return EndTime
	case now.Sub(f.filled) >= age:
		return EndAge
	}
	return ""
}

// find returns a fragment that may be served, or nil. It drops one that has ended, and counts the
// cause.
func (s *Store) find(k key, now time.Time, away bool) *fragment {
	f, ok := s.held.GetIfPresent(k)
	if !ok {
		return nil
	}
	why := s.ended(f, now, away)
	if why == "" {
		return f
	}
	if why == EndAge && !f.aged.Swap(true) {
		s.counts.ended(why)
	}
	if why != EndAge || now.Sub(f.filled) >= s.cfg.StaleIfError { // which may still serve it
		if _, dropped := s.held.Invalidate(k); dropped && why != EndAge {
			s.counts.ended(why)
		}
	}
	return nil
}

// hash hashes a part of a response after what came before it.
func (s *Store) hash(before uint64, id int64, text []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	var head [16]byte
	binary.LittleEndian.PutUint64(head[:], before)
	binary.LittleEndian.PutUint64(head[8:], uint64(id))
	_, _ = h.Write(head[:])
	_, _ = h.Write(text)
	return h.Sum64() | 1 // 0 stands for independent of what came before
}

// walk follows what rendering carries from object to object of a response.
type walk struct {
	store *Store
	// all is the hash of the objects so far, before that of those that have markup.
	all, before uint64
	// unknown reports that one of them has markup that our renderer doesn't reproduce, so that its
	// running numbers may differ from WordPress's.
	unknown bool
}

func (s *Store) walk() walk { return walk{store: s, all: 1, before: 1} }

// depends reports whether a rendering may depend on the objects before it in a way that our own
// rendering doesn't show.
func (w *walk) depends(text []byte, foreignMarkup bool) bool {
	return hasMarkup(text) && (foreignMarkup || w.unknown)
}

func (w *walk) pass(id int64, text []byte, foreignMarkup bool) {
	w.all = w.store.hash(w.all, id, text)
	if hasMarkup(text) {
		w.before = w.store.hash(w.before, id, text)
		w.unknown = w.unknown || foreignMarkup
	}
}

// Composed is a response with WordPress's objects.
type Composed struct {
	Body []byte
	// Until is the time at which its earliest fragment expires. Refill is the time from which it should
	// be requested again, so that it doesn't.
	Until, Refill time.Time
}

// Outcome is the result of composing a response.
type Outcome int

// The outcomes.
const (
	// Missing means that WordPress has to be asked for an object, or that the place isn't proven.
	Missing Outcome = iota
	// Varying means that asking WordPress wouldn't help, because its rendering varies although nothing
	// changes.
	Varying
	Complete
)

// Compose returns our response with the fragments of its objects, if they are Complete. away reports
// that WordPress is down.
func (s *Store) Compose(at Place, ours *Document, away bool) (c Composed, o Outcome) {
	o, positional := s.served(at, ours)
	if o != Complete {
		return c, o
	}
	now, w := s.cfg.Now(), s.walk()
	c.Until, c.Refill = now.Add(s.cfg.MaxAge), now.Add(s.cfg.MaxAge/4*3)
	if away {
		c.Until = now.Add(max(s.cfg.MaxAge, s.cfg.StaleIfError))
	}
	objects := make([][]byte, ours.Len())
	for i := range objects {
		id, text := ours.objects[i].id, ours.at(i)
		f := w.find(at, id, text, positional, now, away)
		if f == nil {
			s.counts.misses.Add(1)
			return c, Missing
		}
		if objects[i] = text; f.text != nil {
			objects[i] = f.text
		}
		w.pass(id, objects[i], f.markup)
		c.bound(f, s.cfg.MaxAge, s.cfg.StaleIfError, away)
	}
	c.Body = ours.with(objects)
	s.counts.hits.Add(1)
	return c, Complete
}

// find returns the fragment of our rendering of the next object of a response, or nil.
func (w *walk) find(at Place, id int64, text []byte, positional bool, now time.Time, away bool) *fragment {
	s, k := w.store, key{place: at, id: id, ours: w.store.hash(0, id, text)}
	if !positional {
		if f := s.find(k, now, away); f != nil && (f.text != nil || !w.depends(text, false)) {
			return f
		}
	}
	k.before = w.before
	if positional {
		k.before = w.all
	}
	return s.find(k, now, away)
}

// Each returns WordPress's renderings of the objects of our response, which may be served one by one. It
// is nil for an object without one. away reports that WordPress is down.
func (s *Store) Each(at Place, ours *Document, away bool) [][]byte {
	objects := make([][]byte, ours.Len())
	s.mu.Lock()
	p := s.places[at]
	if p == nil || !p.proven() {
		s.mu.Unlock()
		return objects
	}
	volatile, positional := maps.Clone(p.volatile), p.positional
	s.mu.Unlock()
	now, w := s.cfg.Now(), s.walk()
	for i := range objects {
		id, text := ours.objects[i].id, ours.at(i)
		var f *fragment
		if !volatile[id] {
			f = w.find(at, id, text, positional, now, away)
		}
		switch {
		case f == nil: // what it carries to the objects behind it is unknown
			w.pass(id, text, true)
			continue
		case f.text == nil:
			objects[i] = text
		default:
			objects[i] = f.text
		}
		w.pass(id, objects[i], f.markup)
	}
	return objects
}

// Object returns WordPress's rendering of an object of a place of single objects, which may be served if
// nothing of it has changed. It returns nil if there is none, or if it is the same as ours. away reports that
// WordPress is down.
func (s *Store) Object(at Place, id int64, away bool) []byte {
	s.mu.Lock()
	p, latest := s.places[at], s.latest[objectAt{at, id}]
	served := p != nil && p.proven() && !p.volatile[id]
	s.mu.Unlock()
	if !served {
		return nil
	}
	now := s.cfg.Now()
	for _, before := range []uint64{0, s.walk().before} { // no object is before it
		if f := s.find(key{at, id, latest.ours, before}, now, away); f != nil {
			return f.text
		}
	}
	return nil
}

// bound limits the life of a composed response by that of a fragment.
func (c *Composed) bound(f *fragment, age, stale time.Duration, away bool) {
	until, refill := f.filled.Add(age), f.filled.Add(age/4*3)
	if away {
		until = f.filled.Add(max(age, stale))
	}
	if !f.until.IsZero() && f.until.Before(until) {
		until = f.until
	}
	if until.Before(c.Until) {
		c.Until = until
	}
	if refill.Before(c.Refill) {
		c.Refill = refill
	}
}

// Fill is a pair of responses that are the same outside of their objects.
type Fill struct {
	Place Place
	// Begun is the stamp from before the request to WordPress. All changes of rows that were committed before
	// its response arrived have arrived.
	Begun        Stamp
	Ours, Theirs *Document
	// Tags name all that our response depends on.
	Tags []invalidation.Tag
	// Until is the time at which our rendering of the objects changes without a change of rows; zero
	// for never.
	Until time.Time
}

// Fill stores WordPress's objects, except those whose rows have changed since the request was sent. It
// reports whether one of them has changed although none of its rows has.
func (s *Store) Fill(f *Fill) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.open(f.Place)
	if p == nil || !f.Ours.SameObjects(f.Theirs) {
		return false
	}
	now, w := s.cfg.Now(), s.walk()
	for i, o := range f.Theirs.objects {
		ours, theirs := f.Ours.at(i), f.Theirs.at(i)
		foreign, markup := differing(ours, theirs)
		k := key{place: f.Place, id: o.id, ours: s.hash(0, o.id, ours)}
		switch {
		case p.positional:
			k.before = w.all
		case w.depends(theirs, markup):
			k.before = w.before
		}
		filled := &fragment{foreign: foreign, markup: markup, after: w.all, tags: f.Ours.TagsOf(i, f.Tags), begun: f.Begun, first: now, filled: now, until: f.Until}
		w.pass(o.id, theirs, markup)
		if foreign != nil {
			filled.text = slices.Clone(theirs)
		}
		if filled.tags != nil && s.ended(filled, now, false) == "" {
			s.put(p, k, filled, ours, now)
			changed = s.follow(k, rendered{k.ours, s.hash(0, o.id, theirs), f.Begun.generation}, filled.tags, now) || changed
		}
	}
	return changed
}

// open returns the record of a place, and adds one if there is none. It returns nil if there are too
// many places.
func (s *Store) open(at Place) *place {
	p := s.places[at]
	if p == nil && len(s.places) < maxPlaces {
		p = &place{stable: map[int64]bool{}, volatile: map[int64]bool{}, members: map[string]bool{}}
		s.places[at] = p
	}
	return p
}

// put stores a fragment, and compares it with the one before.
func (s *Store) put(p *place, k key, f *fragment, ours []byte, now time.Time) {
	s.counts.fills.Add(1)
	old := s.find(k, now, true)
	switch {
	case old == nil:
	case string(old.text) == string(f.text):
		f.first = old.first
		if now.Sub(f.first) >= s.cfg.Apart && !p.volatile[k.id] && len(p.stable) < stablePerVolatile*maxVolatile {
			p.stable[k.id] = true
		}
	case old.after != f.after && !p.positional:
		// The position may be the cause.
		p.positional = true
		clear(p.stable)
		k.before = f.after
		s.version.Add(1)
	default:
		names, _ := differing(rendering(old, ours), rendering(f, ours))
		clear(p.stable)
		s.counts.ended(EndDifference)
		s.version.Add(1)
		if old.begun.generation == f.begun.generation && old.begun.ends == f.begun.ends {
			if p.slips++; now.Sub(old.filled) < s.cfg.Apart || p.slips >= maxSlips {
				p.vary(k.id, names)
			}
		}
	}
	s.held.Set(k, f)
}

// follow drops the fragment of our last rendering of an object, if that was another one and has ended.
// Nothing would look it up again. It reports whether WordPress's rendering has changed although ours
// and the rows have not.
func (s *Store) follow(k key, latest rendered, tags []invalidation.Tag, now time.Time) (changed bool) {
	at := objectAt{k.place, k.id}
	before, has := s.latest[at]
	if has && before.ours != k.ours {
		s.find(key{place: k.place, id: k.id, ours: before.ours}, now, true)
	}
	if !has && len(s.latest) >= maxLatest {
		clear(s.latest)
	}
	s.latest[at] = latest
	return has && before.ours == latest.ours && before.theirs != latest.theirs && s.cfg.Tracker.Fresh(before.generation, tags)
}

// rendering returns WordPress's rendering of an object.
func rendering(f *fragment, ours []byte) []byte {
	if f.text == nil {
		return ours
	}
	return f.text
}

// vary records that members of an object are volatile.
func (p *place) vary(id int64, names []string) {
	if len(p.volatile) < maxVolatile {
		p.volatile[id] = true
	}
	delete(p.stable, id)
	for _, name := range names {
		if len(p.members) < maxMembers {
			p.members[name[:min(len(name), maxName)]] = true
		}
	}
}

// Contradict compares the objects of two responses of WordPress to the same request. If no row of
// the site has changed since the first request was sent, objects that differ are volatile. It reports
// whether any differ.
func (s *Store) Contradict(at Place, begun Stamp, first, second *Document) (differ bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !first.SameObjects(second) {
		return true
	}
	still := s.cfg.Tracker.Active() && s.cfg.Tracker.Generation() == begun.generation && s.ends.Load() == begun.ends
	for i, o := range first.objects {
		names, _ := differing(first.at(i), second.at(i))
		if len(names) == 0 {
			continue
		}
		differ = true
		if !still {
			continue
		}
		if p := s.open(at); p != nil {
			p.vary(o.id, names)
			s.version.Add(1)
		}
	}
	return differ
}

// TagsOf returns the tags of one object, among those of its response: its own, those of what its rendering
// may show, and the site's. It returns nil if the response doesn't depend on the object. A list of terms
// depends on the set of all terms and not on each, and so do its objects.
func (d *Document) TagsOf(i int, tags []invalidation.Tag) []invalidation.Tag {
	id, shows := d.objects[i].id, d.shows(i)
	var found []invalidation.Tag
	own := false
	for _, tag := range tags {
		if tag.Kind == invalidation.Site || tag.ID != 0 && shows(tag) {
			found = append(found, tag)
			own = own || tag.ID == id
		}
	}
	if !own {
		if d.list == "" || !slices.Contains(tags, invalidation.Tag{Kind: invalidation.Terms}) {
			return nil
		}
		found = slices.Clone(tags)
	}
	return slices.Clip(found)
}

// shows returns a function that reports whether the rendering of an object may show the row of a tag. A
// single object may show all rows of its response, and an object of a list those whose ids it has. Events
// of exports have no ids, so they may show all rows but the other events.
func (d *Document) shows(i int) func(invalidation.Tag) bool {
	switch {
	case d.calendar:
		id := d.objects[i].id
		return func(tag invalidation.Tag) bool {
			return tag.Kind != invalidation.Post || tag.ID == id || !slices.ContainsFunc(d.objects, func(o object) bool { return o.id == tag.ID })
		}
	case d.list == "":
		return func(invalidation.Tag) bool { return true }
	}
	ids := numbersIn(d.at(i))
	return func(tag invalidation.Tag) bool { return ids[tag.ID] }
}

// Volatile describes the objects of a place that vary although nothing has changed.
type Volatile struct {
	Objects  int      `json:"objects"`
	Route    string   `json:"route"`
	Language string   `json:"language,omitempty"`
	Site     string   `json:"site,omitempty"`
	Members  []string `json:"members"`
}

// Volatile lists the places that have volatile objects, sorted by route.
func (s *Store) Volatile() []Volatile {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Volatile
	for at, p := range s.places {
		if len(p.volatile) == 0 {
			continue
		}
		v := Volatile{Objects: len(p.volatile), Route: at.Route, Language: at.Language, Site: at.Site}
		for name := range p.members {
			v.Members = append(v.Members, name)
		}
		slices.Sort(v.Members)
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b Volatile) int {
		return cmp.Or(cmp.Compare(a.Route, b.Route), cmp.Compare(a.Language, b.Language), cmp.Compare(a.Site, b.Site))
	})
	return all
}
