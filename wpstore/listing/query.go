package listing

import (
	"math/bits"
	"slices"
)

// Bound is a condition on the start (or end) of an event.
type Bound struct {
	End  bool
	Op   string // ">=", ">", "<=", "<"; any other holds for no event
	Date Date
}

// Own says which statuses the events of one author may have, where they are other
// ones than for everybody's.
type Own struct {
	Author   int64
	Statuses []string
}

// Query selects events. All conditions are joined by AND. Lists: nil is no
// condition, an empty list matches nothing.
type Query struct {
	Statuses []string // nil: any but trash and auto-draft
	Own      *Own     // what holds instead for the events of one author
	Bounds   []Bound  // on one and the same row
	UTC      bool     // the bounds are compared with the UTC dates

	OrderByPublication bool // by publication date, then id, instead of by start
	OrderUTC           bool // by the start in UTC; events without it are left out
	Descending         bool // the latest start (or publication) first

	UnprotectedOnly bool  // only events without a password …
	UnlockedFor     int64 // … or, where it is not 0, of this author
	// Passwords says that events with certain passwords would match as well. The
	// index has none, so such a query is answered if no event is protected.
	Passwords bool

	Categories, Tags, Venues, Organizers []int64 // any of them
	Featured                             *bool
	Parent                               *int64
	Include                              []int64

	Languages     []string
	LanguageTerms []int64

	Limit, Offset int64 // Limit 0 or less: only the total
}

// Reason says why a query is not answered.
type Reason string

// The reasons.
const (
	// Answered is none.
	Answered Reason = ""
	// OddText: a text is compared that collations may take for equal to another.
	OddText Reason = "text"
	// OddID: an id is out of the range of the index.
	OddID Reason = "id"
	// Password: passwords would have to be compared.
	Password Reason = "password"
	// Unreadable: something about an event could not be read.
	Unreadable Reason = "unreadable"
)

// Answer is a page of events and how many there are in all.
type Answer struct {
	IDs   []int64
	Total int64
	// Sorted is how many rows had to be sorted, 0 where they lay in order.
	Sorted int
}

// Order is what the list goes by.
func (q *Query) Order() Order {
	switch {
	case q.OrderByPublication:
		return ByPublication
	case q.OrderUTC:
		return ByStartUTC
	}
	return ByStart
}

// Search answers a query, or says why it cannot.
func (x *Index) Search(q *Query) (Answer, Reason) {
	t := x.trees[q.Order()]
	sorted := t != nil
	if !sorted {
		t = x.trees[x.main]
	}
	s, reason := x.compile(q)
	if reason != Answered {
		return Answer{}, reason
	}
	m := matches{t: t, words: make([]uint64, chunkWords*len(t.chunks))}
	for i := range t.heads {
		h := &t.heads[i]
		for _, r := range s.refuse {
			if h.flagged(r.flag) {
				return Answer{}, r.reason
			}
		}
		if !s.impossible && s.touches(h) {
			s.run(h, t.chunks[i], (*mask)(m.words[i*chunkWords:]))
		}
	}
	if sorted {
		m.once(q.Descending)
		return m.page(q), Answered
	}
	return m.sortedPage(q), Answered
}

// compiled is a query in terms of attributes.
type compiled struct {
	impossible bool
	bounds     []columnBound
	all        [][]attribute // one of each must be there
	none       []attribute
	statuses   []attribute
	otherwise  bool // any status but these
	ownAuthor  []attribute
	own        []attribute
	unlocked   []attribute
	locked     bool // protected events need unlocked
	include    []int64
	refuse     []refusal
}

type columnBound struct {
	column int
	// The date must be from low to high.
	low, high Date
}

// refusal is a flag that no row must have for the query to be answered.
type refusal struct {
	flag   int64
	reason Reason
}

func (x *Index) compile(q *Query) (*compiled, Reason) {
	s := &compiled{refuse: []refusal{{flagUnreadable, Unreadable}}}
	s.bound(q)
	ids := func(t tag, ids []int64) (out []attribute, ok bool) {
		for _, id := range ids {
			if !representable(id) {
				return nil, false
			}
			out = append(out, attributeOf(t, id))
		}
		slices.Sort(out)
		return slices.Compact(out), true
	}
	names := func(t tag, names []string) (out []attribute, ok bool) {
		for _, name := range names {
			if !plain(name) {
				return nil, false
			}
			if n, known := x.texts.number(name); known {
				out = append(out, attributeOf(t, n))
			}
		}
		slices.Sort(out)
		return slices.Compact(out), true
	}
	one := func(id *int64) []int64 {
		if id == nil {
			return nil
		}
		return []int64{*id}
	}
	// The most selective ones first, as a rule.
	for _, f := range []struct {
		tag tag
		ids []int64
	}{
		{tagVenue, q.Venues}, {tagOrganizer, q.Organizers}, {tagCategory, q.Categories}, {tagTag, q.Tags},
		{tagParent, one(q.Parent)}, {tagLanguageTerm, q.LanguageTerms},
	} {
		if f.ids == nil {
			continue
		}
		wanted, ok := ids(f.tag, f.ids)
		if !ok {
			return nil, OddID
		}
		s.require(wanted)
	}
	if q.Languages != nil {
		wanted, ok := names(tagLanguage, q.Languages)
		if !ok {
			return nil, OddText
		}
		s.require(wanted)
		s.refuse = append(s.refuse, refusal{flagOddLanguage, OddText})
	}
	flag := func(set bool, flag int64) {
		if set {
			s.require([]attribute{attributeOf(tagFlag, flag)})
		} else {
			s.none = append(s.none, attributeOf(tagFlag, flag))
		}
	}
	if q.Featured != nil {
		flag(*q.Featured, flagFeatured)
	}
	if q.OrderUTC {
		flag(false, flagNoStartUTC)
	} else {
		flag(false, flagNoStart)
	}
	if q.Include != nil {
		s.include = slices.Clone(q.Include)
		slices.Sort(s.include)
		s.include = slices.Compact(s.include)
		s.impossible = s.impossible || len(s.include) == 0
	}
	if q.Passwords {
		s.refuse = append(s.refuse, refusal{flagProtected, Password})
	}
	var ok bool
	if s.locked = q.UnprotectedOnly; s.locked && q.UnlockedFor != 0 {
		if s.unlocked, ok = ids(tagAuthor, []int64{q.UnlockedFor}); !ok {
			return nil, OddID
		}
	}
	s.refuse = append(s.refuse, refusal{flagOddStatus, OddText})
	if s.statuses, ok = names(tagStatus, q.Statuses); !ok {
		return nil, OddText
	}
	if q.Statuses == nil {
		s.otherwise = true
		s.statuses, _ = names(tagStatus, []string{"trash", "auto-draft"})
	}
	if q.Own != nil {
		if s.ownAuthor, ok = ids(tagAuthor, []int64{q.Own.Author}); !ok {
			return nil, OddID
		}
		if s.own, ok = names(tagStatus, q.Own.Statuses); !ok {
			return nil, OddText
		}
	}
	return s, Answered
}

func (s *compiled) require(wanted []attribute) {
	s.all = append(s.all, wanted)
	s.impossible = s.impossible || len(wanted) == 0
}

// bound joins the bounds on each column into one range.
func (s *compiled) bound(q *Query) {
	for _, b := range q.Bounds {
		column := columnStart
		if b.End {
			column = columnEnd
		}
		if q.UTC {
			column += columnStartUTC - columnStart
		}
		c := columnBound{column, 0, 1<<62 - 1}
		switch b.Op {
		case ">=":
			c.low = b.Date
		case ">":
			c.low = b.Date + 1
		case "<=":
			c.high = b.Date
		case "<":
			c.high = b.Date - 1
		default:
			s.impossible = true
		}
		s.bounds = append(s.bounds, c)
	}
}

// touches says whether rows of a chunk can be within the bounds.
func (s *compiled) touches(h *head) bool {
	for i := range s.bounds {
		b := &s.bounds[i]
		if (h.high[b.column] < b.low || h.low[b.column] > b.high) && !b.garbled(h) {
			return false
		}
	}
	return true
}

// run finds the rows of a chunk that match.
func (s *compiled) run(h *head, c *chunk, m *mask) {
	m.first(h.rows)
	for i := range s.bounds {
		s.bounds[i].apply(h, c, m)
	}
	if s.include != nil {
		var some mask
		c.find(&some, s.include)
		if m.and(&some); m.empty() {
			return
		}
	}
	for _, wanted := range s.all {
		var some mask
		c.any(&some, wanted)
		if m.and(&some); m.empty() {
			return
		}
	}
	for _, a := range s.none {
		if h.flagged(int64(a - attributeOf(tagFlag, 0))) {
			var some mask
			c.any(&some, []attribute{a})
			m.without(&some)
		}
	}
	if s.locked && h.flagged(flagProtected) {
		var some, unlocked mask
		c.any(&some, []attribute{attributeOf(tagFlag, flagProtected)})
		c.any(&unlocked, s.unlocked)
		some.without(&unlocked)
		m.without(&some)
	}
	s.status(h, c, m)
}

func (s *compiled) status(h *head, c *chunk, m *mask) {
	if h.status != 0 && s.ownAuthor == nil {
		if _, named := slices.BinarySearch(s.statuses, h.status); named == s.otherwise {
			*m = mask{}
		}
		return
	}
	var allowed mask
	c.any(&allowed, s.statuses)
	if s.otherwise {
		for w := range allowed {
			allowed[w] = ^allowed[w]
		}
	}
	if s.ownAuthor != nil {
		var mine, own mask
		c.any(&mine, s.ownAuthor)
		c.any(&own, s.own)
		for w := range allowed {
			allowed[w] = allowed[w]&^mine[w] | own[w]&mine[w]
		}
	}
	m.and(&allowed)
}

// garbled says whether garbled dates are within the range, and the chunk has some.
func (b *columnBound) garbled(h *head) bool {
	return h.gaps[b.column] && b.low <= 0 && b.high >= 0 && h.flagged(flagGarbled+int64(b.column))
}

// apply removes the rows outside of the range.
func (b *columnBound) apply(h *head, c *chunk, m *mask) {
	if h.low[b.column] >= b.low && h.high[b.column] <= b.high && !h.gaps[b.column] {
		return
	}
	var zero mask
	if b.garbled(h) {
		c.any(&zero, []attribute{attributeOf(tagFlag, flagGarbled+int64(b.column))})
	}
	dates := c.dates[b.column]
	for w := range m {
		var inside uint64
		for i, d := range dates[min(64*w, len(dates)):min(64*w+64, len(dates))] {
			if d >= b.low && d <= b.high {
				inside |= 1 << i
			}
		}
		m[w] &= inside | zero[w]
	}
}

func (m *mask) and(o *mask) {
	for w := range m {
		m[w] &= o[w]
	}
}

func (m *mask) without(o *mask) {
	for w := range m {
		m[w] &^= o[w]
	}
}

// ones counts bits.
func ones(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}
