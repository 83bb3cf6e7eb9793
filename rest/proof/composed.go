package proof

import (
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"

	"calbridge/rest/api"
	"calbridge/rest/fragment"
	"calbridge/wpstore/invalidation"
)

// Composed responses have our envelope and WordPress's objects. Package fragment keeps the objects.
// The envelope is proved like a response, as a shape of its own that is [Shape.Composed].

// composer composes responses of fragments.
type composer struct {
	store *fragment.Store // nil: there are none
	// failures counts the requests that WordPress has failed since it answered the last one.
	failures atomic.Int32
	budget   budget
}

// failuresDown is the number of failures in a row after which WordPress counts as down.
const failuresDown = 3

// fails reports whether WordPress has failed the latest request.
func (c *composer) fails() bool { return c.failures.Load() > 0 }

func (c *composer) down() bool { return c.failures.Load() >= failuresDown }

// Split is a pair of responses that have the same objects in the same order.
type Split struct {
	Ours, Theirs *fragment.Document
	// Around names where the responses differ outside of the objects, as Result.Fields does.
	Around []string
	// Inside names the members in which objects differ although calbridge renders them itself.
	Inside []string
}

// Split splits both bodies of a comparison. It returns nil if their objects can't be fragments.
func (p *Prover) Split(query, site string, d *api.Summary, ours, theirs []byte) *Split {
	if _, ok := p.fragmentsOf(query, site, d); !ok {
		return nil
	}
	s := &Split{}
	var err error
	if s.Ours, err = fragment.SplitBody(d.ContentType, ours); err != nil {
		return nil
	}
	if s.Theirs, err = fragment.SplitBody(d.ContentType, theirs); err != nil {
		return nil
	}
	if !s.Ours.SameObjects(s.Theirs) {
		return nil
	}
	if p.cfg.OnlyContent {
		s.Inside = s.Ours.DifferBeyondContent(s.Theirs)
	}
	return s
}

// Spliced reports whether two responses are the same outside of their objects, but for headers that
// vary.
func (p *Prover) Spliced(s *Split, ours Side) bool {
	return s != nil && len(s.Inside) == 0 && (len(s.Around) == 0 || p.adjustments.headers.explain(s.Around, ours.Header))
}

// Keeps reports whether fragments are kept of the objects of a response.
func (p *Prover) Keeps(query, site string, d *api.Summary) bool {
	at, ok := p.fragmentsOf(query, site, d)
	return ok && p.composer.store.Used(at)
}

// Suffices reports whether one response of WordPress suffices to fill the fragments of a response.
func (p *Prover) Suffices(query, site string, d *api.Summary) bool {
	at, ok := p.fragmentsOf(query, site, d)
	return ok && p.composer.store.Proven(at)
}

// Contradict compares the objects of two responses of WordPress to the same request, of which the
// first was requested at a stamp. It reports whether they differ.
func (p *Prover) Contradict(query, site string, d *api.Summary, begun Stamp, first, second *fragment.Document) bool {
	at, ok := p.fragmentsOf(query, site, d)
	if !ok || !p.composer.store.Contradict(at, begun.fragments, first, second) {
		return false
	}
	p.outdated.report()
	return true
}

// Took records how long WordPress took for its response in a comparison.
func (p *Prover) Took(d time.Duration) { p.composer.budget.note(d) }

// Hidden ends the fragments that may show what was hidden. Call it before the tracker has the change.
func (p *Prover) Hidden() {
	if s := p.composer.store; s != nil {
		s.Hide()
		p.outdated.report()
	}
}

// wholeOnly are arguments with which responses have no fragments. "context" has them only with the
// value "view".
var wholeOnly = [...]string{"password", "_method", "_jsonp", "_envelope", "_embed", "_pretty"}

// fragmentsOf returns the place of the objects of a response. ok is false if they can't be
// fragments.
func (p *Prover) fragmentsOf(query, site string, d *api.Summary) (at fragment.Place, ok bool) {
	if p.composer.store == nil || !d.Shared || d.Objects.Timely || !fragment.Splittable(d.ContentType) {
		return at, false
	}
	at = fragment.Place{Route: d.Route, Language: d.Language, Site: site}
	if query == "" {
		return at, true
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return at, false
	}
	for name, given := range values {
		name, _, list := strings.Cut(name, "[")
		for _, whole := range wholeOnly {
			if name == whole {
				return at, false
			}
		}
		switch {
		case name == "context" && (list || len(given) != 1 || given[0] != "view"):
			return at, false
		case name == "_fields" && (list || len(given) != 1):
			return at, false
		case name == "_fields":
			at.Fields = kindOf(name, given[0])
		case name == "outlook-ical":
			at.Fields = name
		}
	}
	return at, true
}

// composed is a composed response that was released.
type composed struct {
	body    []byte
	version uint64
	away    bool
}

// current reports whether a composed response may still be sent, apart from changes of rows and age.
func (p *Prover) current(c *composed) bool {
	return c.version == p.composer.store.Version() && c.away == p.composer.down()
}

// compose composes a response of fragments. why is the reason for which our response isn't released.
// The decision has a reason to compare if a fragment is missing.
func (p *Prover) compose(r Request, e *entry, d *api.Summary, why Reason, memo *release) Decision {
	own := Decision{Ticket: (*Ticket)(e), Why: why}
	at, ok := p.fragmentsOf(r.Query(), r.Site(), d)
	if !ok {
		return own
	}
	shape := e.shape
	shape.Composed = true
	around := p.book.find(shape)
	if around == nil {
		if why == NotRendered {
			own.Why = NotFilled
		}
		return own
	}
	if found, _ := p.objects.check(e.shape.place(), d.Tags, 0); found == closed {
		return Decision{Ticket: (*Ticket)(e), Why: Closed}
	}
	if !p.holds(around) {
		return Decision{Ticket: (*Ticket)(around), Why: unprovenReason(around)}
	}
	if memo.document == nil {
		var err error
		if memo.document, err = fragment.SplitBody(d.ContentType, d.Body); err != nil {
			return own
		}
	}
	version := p.composer.store.Version()
	away := p.composer.down()
	c, outcome := p.composer.store.Compose(at, memo.document, away)
	switch outcome {
	case fragment.Varying:
		return own
	case fragment.Missing:
		return Decision{Ticket: (*Ticket)(around), Why: NotFilled}
	}
	memo.entry = around
	memo.composed, memo.until, memo.refill = &composed{body: c.Body, version: version, away: away}, c.Until.UnixNano(), c.Refill.UnixNano()
	memo.mark(memo.made)
	return Decision{Ticket: (*Ticket)(around), Body: c.Body}
}

// Description returns the description in the response of a route to a request for one post. WordPress sends it
// to anonymous clients under an address of the site. ok is false if it isn't held, or is the same as ours.
func (p *Prover) Description(route, site, language string, id int64) (html string, ok bool) {
	if p.composer.store == nil || !p.cfg.Tracker.Active() || p.retired.Load() || !p.facts.current() || p.held() != None {
		return "", false
	}
	shape := Shape{Route: route, Site: site, Language: language, Answer: "application/json", Composed: true}
	around := p.book.find(shape)
	if around == nil || !p.holds(around) {
		return "", false
	}
	if found, _ := p.objects.check(shape.place(), []invalidation.Tag{{Kind: invalidation.Post, ID: id}}, 0); found == closed {
		return "", false
	}
	at := fragment.Place{Route: route, Language: language, Site: site}
	return fragment.Text(p.composer.store.Object(at, id, p.composer.down()), "description")
}

// fill stores the objects of a comparison whose responses have the same ones, and proves their
// envelope.
func (p *Prover) fill(r *Result, shape Shape, now time.Time) {
	at, ok := p.fragmentsOf(r.Query, r.Site, r.Summary)
	if !ok || !p.Spliced(r.Split, r.Ours) || r.Verdict == Same && len(r.Summary.NotRendered) == 0 && !p.composer.store.Used(at) {
		return
	}
	shape.Composed = true
	if r.Verdict != Same || len(r.Summary.NotRendered) > 0 || p.book.find(shape) != nil {
		if p.book.open(shape).same(&p.cfg.Settings, xxhash.Sum64String(r.Target), now) && !p.cfg.OnlyContent {
			p.cfg.Logger.Info("proven: calbridge answers these requests with WordPress's objects", "route", shape.Route, "arguments", shape.Arguments, "language", shape.Language)
		}
	}
	before := p.composer.store.Version()
	changed := p.composer.store.Fill(&fragment.Fill{
		Place: at, Begun: r.Begun.fragments, Ours: r.Split.Ours, Theirs: r.Split.Theirs, Tags: r.Summary.Tags, Until: r.Summary.Objects.Until,
	})
	if changed {
		p.suspects.doubt(time.Time{})
	}
	if changed || p.composer.store.Version() != before {
		p.outdated.report()
	}
}

// unfill ends the proof of an envelope, because responses differ outside of their objects.
func (p *Prover) unfill(r *Result, shape Shape) {
	shape.Composed = true
	if e := p.book.find(shape); e != nil {
		same := e.sameAt()
		if e.differs(r.around(), r.Verdict == Disagreeing, p.cfg.Now()) {
			p.suspects.doubt(same)
			p.ended(EndDifference)
		}
	}
}

// endObjects ends the proofs of all objects.
func (p *Prover) endObjects() {
	p.objects.end()
	if s := p.composer.store; s != nil {
		s.End(fragment.EndObjects)
	}
}
