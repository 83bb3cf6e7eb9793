package proof

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"calbridge/rest/api"
	"calbridge/rest/fragment"
	"calbridge/wpstore/invalidation"
)

// Verdict is the outcome of a comparison.
type Verdict int

// The verdicts.
const (
	Same Verdict = iota
	Different
	// Disagreeing means that two responses of WordPress differ although nothing has changed.
	Disagreeing
	// Inconclusive means that the responses differ, and rows have changed meanwhile. The comparison
	// continues.
	Inconclusive
)

// Side is one side's response.
type Side struct {
	Status int
	Header http.Header
	Body   []byte // without content coding
}

// Result is a comparison of two responses to a request that is the same for all clients except for
// its target and the site's address.
type Result struct {
	Begun  Stamp
	Target string // path and query, to tell requests apart
	Query  string
	Site   string // as in Shape
	// Summary describes our response, to which the rules in Applied were applied.
	Summary      *api.Summary
	Applied      []HeaderRule
	Ours, Theirs Side
	Verdict      Verdict
	// Fields name the differences, without values: "status", "headers vary", "body events.3.cost".
	Fields []string
	// Split is not nil if both responses have the same objects, whose rows have not changed since
	// Begun as far as known.
	Split *Split
	// Varying are headers that differed between two responses of WordPress to this request,
	// although nothing had changed.
	Varying []string
}

// Begin returns the time at which a comparison begins. Take it before asking either side.
func (p *Prover) Begin() Stamp {
	s := p.objects.stamp()
	s.changes = p.accompanying.count()
	if f := p.composer.store; f != nil {
		s.fragments = f.Begin()
	}
	return s
}

// Unchanged reports whether no row that a response depends on has changed since a comparison began.
func (p *Prover) Unchanged(s Stamp, tags []invalidation.Tag) bool {
	return p.cfg.Tracker.Fresh(s.generation, tags) && p.objects.current(s)
}

// Record learns from a comparison.
func (p *Prover) Record(r *Result) {
	p.recording.RLock()
	defer p.recording.RUnlock()
	if p.retired.Load() {
		return
	}
	p.accompanying.compared(r.Begun.changes)
	shape, ok := p.shape(r.Query, r.Site, r.Summary)
	if r.Verdict == Inconclusive {
		if ok && r.Summary.Shared {
			p.book.open(shape).doubt()
		}
		return
	}
	now := p.cfg.Now()
	p.latest.Store(now.UnixNano())
	if !ok || !r.Summary.Shared || !p.facts.current() || !p.objects.current(r.Begun) {
		return
	}
	if p.adjustments.headers.refuted(r.Applied, r.Theirs.Header) {
		p.book.reset()
		p.endObjects()
		p.ended(EndHeader)
		return
	}
	e, at := p.book.open(shape), shape.place()
	request := xxhash.Sum64String(r.Target)
	p.adjustments.headers.vary(append(p.varied(request, r), r.Varying...))
	p.fill(r, shape, now)
	if r.Verdict == Same || r.Verdict == Different && p.adjustments.headers.explain(r.Fields, r.Ours.Header) {
		p.objects.show(at, r.Begun, r.Summary.Tags)
		p.suspects.same()
		if e.same(&p.cfg.Settings, request, now) && !p.cfg.OnlyContent {
			p.cfg.Logger.Info("proven: calbridge answers these requests itself", "route", shape.Route, "arguments", shape.Arguments, "language", shape.Language)
		}
		return
	}
	if refused := r.refused(); len(refused) > 0 {
		last := time.Unix(0, e.compared.Swap(now.UnixNano()))
		if !p.objects.allClosed(at, refused) {
			p.suspects.doubt(last)
		}
		contradicts := p.objects.refuse(at, r.Begun, refused)
		p.outdated.report()
		if contradicts {
			p.endObjects()
			p.cfg.Logger.Warn("WordPress refuses what it has shown, although no row of it has changed: everything has to be seen again", "route", shape.Route)
			p.ended(EndContradiction)
		}
		return
	}
	if r.Theirs.Status == http.StatusUnauthorized || r.Theirs.Status == http.StatusForbidden {
		// A list is closed as a whole: its entries may be closed elsewhere too.
		if e.proven.Load() {
			p.endObjects()
			p.ended(EndContradiction)
		}
	}
	if asked, ours, theirs, ok := r.pages(); ok && p.adjustments.caps.learn(shape.Route, asked, ours, theirs, request, now) {
		p.cfg.Logger.Info("the largest page that WordPress shows has been learned", "route", shape.Route, "entries", p.adjustments.caps.of(shape.Route))
		p.adjustments.capsChanged()
	}
	for _, rule := range p.adjustments.headers.learn(r.headerRules(), request, now) {
		p.cfg.Logger.Info("learned a "+rule.Means(), "name", rule.Name)
		p.outdated.report()
	}
	spliced := p.Spliced(r.Split, r.Ours)
	if !spliced {
		p.unfill(r, shape)
	}
	if spliced && len(r.Summary.NotRendered) > 0 { // which our renderer can't do, so that the difference says nothing about others
		return
	}
	p.differ(e, r)
}

// differ ends the proof of a shape.
func (p *Prover) differ(e *entry, r *Result) {
	unstable, why := r.Verdict == Disagreeing, EndDifference
	if unstable {
		why = EndUnstable
	}
	same := e.sameAt()
	demoted, causes := e.differs(r.Fields, unstable, p.cfg.Now()), p.suspects.causes(r.Fields, same)
	e.blame(causes)
	if demoted {
		p.suspects.doubt(same)
		p.cfg.Logger.Warn("WordPress answers these requests again: the answers differ", "route", e.shape.Route, "arguments", e.shape.Arguments,
			"language", e.shape.Language, "where", strings.Join(r.Fields[:min(len(r.Fields), maxFields)], ", "), "likely_causes", strings.Join(causes, ", "))
		p.ended(why)
	}
}

// refused returns the objects that our response shows and WordPress refuses or leaves out. A
// response to a request for one thing has its id; all entries of a list are compared.
func (r *Result) refused() []invalidation.Tag {
	ours, theirs := r.ids()
	var ids []int64
	switch r.Theirs.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		if ours.id != 0 {
			ids = []int64{ours.id}
		}
	case http.StatusOK:
		ids = ours.without(theirs)
	}
	if len(ids) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Summary.Tags), func(t invalidation.Tag) bool { return !isObject(t) || !slices.Contains(ids, t.ID) })
}

// ids are the ids in a response.
type ids struct {
	id    int64
	lists map[string][]int64
}

// ids returns the ids in both responses. Events of exports are a list; WordPress sends nothing in place of an
// export without events. If an export can't be parsed, neither response has ids.
func (r *Result) ids() (ours, theirs ids) {
	if mediaType(r.Ours.Header.Get("Content-Type")) != "text/calendar" {
		return readIDs(r.Ours.Body), readIDs(r.Theirs.Body)
	}
	own, err := fragment.SplitCalendar(r.Ours.Body)
	if err != nil {
		return ours, theirs
	}
	const events = "events"
	ours.lists = map[string][]int64{events: own.IDs()}
	if len(r.Theirs.Body) == 0 {
		return ours, theirs
	}
	other, err := fragment.SplitCalendar(r.Theirs.Body)
	if err != nil {
		return ids{}, ids{}
	}
	theirs.lists = map[string][]int64{events: other.IDs()}
	return ours, theirs
}

// readIDs reads the ids of a JSON response: its own, or those of the entries of its lists.
func readIDs(body []byte) ids {
	found := ids{lists: map[string][]int64{}}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return found
	}
	_ = json.Unmarshal(members["id"], &found.id)
	for name, raw := range members {
		var entries []struct{ ID int64 }
		if len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &entries) == nil {
			for _, e := range entries {
				found.lists[name] = append(found.lists[name], e.ID)
			}
		}
	}
	return found
}

// without returns the ids of the lists that another response lacks in the list of the same name. If
// that list just ends earlier, by more than one entry, its pages are shorter, and nothing is left
// out.
func (i ids) without(theirs ids) []int64 {
	var missing []int64
	for name, ours := range i.lists {
		other := theirs.lists[name]
		if len(other) < len(ours)-1 && slices.Equal(ours[:len(other)], other) && len(other) > 0 {
			continue
		}
		for _, id := range ours {
			if id != 0 && !slices.Contains(other, id) {
				missing = append(missing, id)
			}
		}
	}
	return missing
}

// around returns the fields in which the responses differ, but for those inside of objects that both
// have.
func (r *Result) around() []string {
	if r.Split != nil {
		return slices.Concat(r.Split.Around, r.Split.Inside)
	}
	return r.Fields
}

// headerRules returns the rules that would make the responses the same, but for their objects. It
// returns none if they differ in more than constant headers.
func (r *Result) headerRules() []HeaderRule {
	var rules []HeaderRule
	for _, field := range r.around() {
		name, isHeader := strings.CutPrefix(field, "headers ")
		rule := HeaderRule{Name: http.CanonicalHeaderKey(name), Site: r.Site}
		ours, theirs := r.Ours.Header[rule.Name], r.Theirs.Header[rule.Name]
		if !isHeader || len(ours) > 1 || len(theirs) > 1 {
			return nil
		}
		if len(ours) == 1 {
			rule.Instead = ours[0]
		}
		if len(theirs) == 1 {
			rule.Value = theirs[0]
		}
		if rule.Value == "" && (rule.Instead == "" || len(theirs) > 0) || !learnable(rule.Name, rule.Value) {
			return nil
		}
		rules = append(rules, rule)
	}
	return rules
}

// varied returns the headers in which WordPress's responses to the same request differ although they
// are otherwise the same outside of their objects, and no row that ours depends on has changed between
// them. Changes of unknown tables don't matter here: a site may change them all the time.
func (p *Prover) varied(request uint64, r *Result) []string {
	onlyHeaders := func(field string) bool { return strings.HasPrefix(field, "headers ") }
	if r.Verdict != Different || len(r.around()) == 0 || slices.ContainsFunc(r.around(), func(field string) bool { return !onlyHeaders(field) }) {
		return nil
	}
	return p.adjustments.headers.varied(request, r.Begun, r.Theirs.Header, func(s Stamp) bool { return p.cfg.Tracker.Fresh(s.generation, r.Summary.Tags) })
}
