package proof

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/fragment"
	"calbridge/wpstore/invalidation"
)

// Reason explains why a request is not answered natively. It is a metric label.
type Reason string

// The reasons.
const (
	None         Reason = "" // it is
	NotReadOnly  Reason = "write"
	NotAnonymous Reason = "login"
	NotOrdinary  Reason = "headers"      // that may identify the client, or ask for another response
	NotShared    Reason = "refusal"      // of calbridge: not found, not allowed, malformed
	NotKnown     Reason = "arguments"    // an argument that calbridge doesn't have
	NotSite      Reason = "address"      // one of too many that the site is asked under
	NotFollowed  Reason = "feed"         // changes of rows don't arrive
	NotFacts     Reason = "facts"        // the facts are being read, or can't be
	NoCompanion  Reason = "no-companion" // changes of code would go unnoticed
	Visitors     Reason = "visitors"     // code reads who asks, and may answer otherwise
	NotProven    Reason = "proving"
	Differs      Reason = "differing"
	Disagrees    Reason = "unstable"
	NotSeen      Reason = "unseen"   // an object
	NotFilled    Reason = "fragment" // of an object is missing
	NotRendered  Reason = "content"  // that only WordPress can render, and that can't be a fragment
	Closed       Reason = "closed"   // an object
)

// Reasons lists all reasons but None.
func Reasons() []Reason {
	return []Reason{NotReadOnly, NotAnonymous, NotOrdinary, NotShared, NotKnown, NotSite, NotFollowed, NotFacts, NoCompanion, Visitors, NotProven, Differs, Disagrees, NotSeen, NotFilled, NotRendered, Closed}
}

// Ending is the cause that ended proofs. It is a metric label.
type Ending string

// The endings.
const (
	EndDifference    Ending = "difference"
	EndUnstable      Ending = "unstable"
	EndFacts         Ending = "facts"
	EndTable         Ending = "table"         // unknown, of all objects
	EndContradiction Ending = "contradiction" // WordPress refuses what it showed, of all objects
	EndHeader        Ending = "header"        // that WordPress no longer sends
)

// Endings lists all of them.
func Endings() []Ending {
	return []Ending{EndDifference, EndUnstable, EndFacts, EndTable, EndContradiction, EndHeader}
}

// Observer receives events. Its methods must be quick.
type Observer interface {
	// Ended reports that proofs have ended.
	Ended(Ending)
	// Decided reports how a request is answered; None means natively.
	Decided(Reason)
}

// Config configures a Prover.
type Config struct {
	Settings
	// Tracker has the changes of rows; with nil, nothing is answered natively.
	Tracker *invalidation.Tracker
	// Facts reads the facts. It is called if options have changed, and before anything is proved.
	Facts func(context.Context) (Facts, error)
	// Code reads the facts that begin with CodeFact; it returns none if WordPress answers and can't
	// report them. CodeAge is how long they count while only they can't be read.
	Code    func(context.Context) (Facts, error)
	CodeAge time.Duration
	// Hooked names the plugins and themes whose callbacks may change fields of responses:
	// "plugins/members", "mu-plugins/a.php". It may be nil.
	Hooked func(fields []string) []string
	// Known are the names of the interface's arguments.
	Known    map[string]bool
	Now      func() time.Time
	Observer Observer
	Logger   *slog.Logger
	// Fragments has WordPress's rendering of objects; with nil, no response is composed of it.
	Fragments *fragment.Store
}

// Prover decides what is answered natively. It is safe for concurrent use.
type Prover struct {
	cfg         Config
	book        *Book
	objects     *Objects
	adjustments *Adjustments
	facts       *facts
	composer    composer
	paused      atomic.Int64 // until this Unix time in nanoseconds WordPress isn't asked
	latest      atomic.Int64 // Unix time in nanoseconds of the last comparison
	counts      *counts

	suspects *suspects
	// accompanying counts what changes during comparisons.
	accompanying accompanying
	made         time.Time

	// retired reports that a successor has what this prover has proved. recording is held while a
	// comparison is recorded.
	retired   atomic.Bool
	recording sync.RWMutex

	outdated outdated
}

// New returns a Prover that has proved nothing.
func New(c Config) *Prover {
	if c.Tracker == nil {
		c.Tracker = invalidation.NewTracker() // never active
	}
	p := &Prover{cfg: c, counts: newCounts(), made: c.Now()}
	p.book, p.objects, p.adjustments = newBook(&p.cfg.Settings), newObjects(c.Tracker, c.maxObjects(), c.Now), newAdjustments(&p.cfg.Settings, c.Tracker)
	p.composer.store = c.Fragments
	p.suspects = &suspects{hooked: c.Hooked, now: c.Now, tables: map[string]*busyTable{}}
	p.facts = &facts{read: c.Facts, readCode: c.Code, now: c.Now, tracker: c.Tracker, changed: p.factsChanged, filesChanged: p.Others}
	return p
}

// Writes reports whether writes are answered natively.
func (p *Prover) Writes() bool { return p.cfg.Writes }

// Answered records how a request was answered.
func (p *Prover) Answered(why Reason) {
	p.counts.decided(why)
	p.cfg.Observer.Decided(why)
}

// Adjustments returns the rules that were learned of WordPress's responses.
func (p *Prover) Adjustments() *Adjustments { return p.adjustments }

// release records with a cached response that it may be sent.
type release struct {
	entry               *entry // nil if nothing may be sent
	generation, version uint64
	composed            *composed // nil if our own response may be sent
	// made, until and refill are Unix times in nanoseconds: when it was decided, until when that holds,
	// and from when on the request should be compared again, so that it goes on to hold. until and refill
	// are 0 for no limit.
	made, until, refill int64
	// document is our response, nil before it was needed.
	document *fragment.Document
	prover   *Prover
}

// Request is what a decision depends on besides the response.
type Request interface {
	// Query returns the raw query.
	Query() string
	// Site returns the address of the request, as in Shape.
	Site() string
}

// Decision describes which side answers a request, and with what body.
type Decision struct {
	Ticket *Ticket // nil if the request has no shape
	// Why is the reason for which WordPress answers. None releases our response.
	Why Reason
	// Body is to be sent in place of our response's; nil for that.
	Body []byte
	// Storing limits what caches in front store of the response. It is set if Why is None.
	Storing api.Storing
}

// Release decides about our response to a request.
func (p *Prover) Release(r Request, d *api.Summary) Decision {
	if !p.cfg.Tracker.Active() || p.retired.Load() {
		return Decision{Why: NotFollowed}
	}
	if !d.Shared {
		return Decision{Why: NotShared}
	}
	now := release{generation: p.cfg.Tracker.Generation(), version: p.objects.version.Load(), made: p.cfg.Now().UnixNano(), prover: p}
	if d.Memo != nil { // answers are cached by URL, which decides about the shape
		if known, ok := d.Memo.Load().(*release); ok {
			if p.stands(known, &now) {
				known.mark(now.made)
				return known.decision(now.made)
			}
			now.document = known.document
		}
	}
	shape, ok := p.shape(r.Query(), r.Site(), d)
	if !ok {
		return Decision{Why: NotKnown}
	}
	if !p.facts.sites.admit(shape.Site) {
		return Decision{Why: NotSite}
	}
	e := p.book.open(shape)
	out := Decision{Ticket: (*Ticket)(e), Why: p.why(e, d, &now)}
	switch out.Why {
	case NotRendered:
		out = p.compose(r, e, d, out.Why, &now)
	case None:
		now.entry = e
		now.mark(now.made)
	case NotProven, Differs, Disagrees, NotSeen:
		out = p.compose(r, e, d, out.Why, &now)
	}
	if out.Why == None {
		out.Storing = now.storing(now.made)
	}
	if d.Memo != nil && (now.entry != nil || now.document != nil) {
		d.Memo.Store(&now)
	}
	return out
}

// stands reports whether a decision still holds.
func (p *Prover) stands(known, now *release) bool {
	return known.entry != nil && known.generation == now.generation && known.version == now.version && p.holds(known.entry) && p.held() == None &&
		(known.composed == nil || p.current(known.composed)) && (known.until == 0 || now.made < known.until || known.composed == nil && p.composer.fails()) && !known.renewed(now.made)
}

// holds reports whether responses of a shape may be sent.
func (p *Prover) holds(e *entry) bool {
	return e.proven.Load() || p.cfg.OnlyContent && unprovenReason(e) == NotProven
}

// renewed reports whether the response is due to be compared again, and perhaps was.
func (r *release) renewed(now int64) bool {
	return r.refill != 0 && now >= r.refill && r.entry.compared.Load() >= r.made
}

// mark marks a response that has to be compared again soon.
func (r *release) mark(now int64) {
	if r.refill != 0 && now >= r.refill {
		r.entry.refill.Store(true)
	}
}

// decision returns the decision that releases a response.
func (r *release) decision(now int64) Decision {
	d := Decision{Ticket: (*Ticket)(r.entry), Storing: r.storing(now)}
	if r.composed != nil {
		d.Body = r.composed.body
	}
	return d
}

// why returns the reason why a response of a shape is not released. It sets until when it may be.
func (p *Prover) why(e *entry, d *api.Summary, r *release) Reason {
	if !p.facts.current() {
		return NotFacts
	}
	if why := p.held(); why != None {
		return why
	}
	if len(d.NotRendered) > 0 {
		return NotRendered
	}
	if !e.proven.Load() {
		return unprovenReason(e)
	}
	var since int64
	if p.cfg.MaxAge > 0 && !p.composer.fails() {
		since = r.made - int64(p.cfg.MaxAge) + 1
	}
	found, oldest := p.objects.check(e.shape.place(), d.Tags, since)
	switch found {
	case closed:
		return Closed
	case unseen:
		return NotSeen
	}
	if p.cfg.MaxAge > 0 {
		r.until, r.refill = oldest+int64(p.cfg.MaxAge), oldest+int64(p.cfg.MaxAge/4*3)
	}
	return None
}

// held returns the reason, as far as it concerns code, why nothing is released whatever is proven:
// NoCompanion or Visitors. Otherwise it returns None.
func (p *Prover) held() Reason {
	switch {
	case p.blind():
		return NoCompanion
	case p.facts.visitors.Load() != nil:
		return Visitors
	}
	return None
}

// blind reports whether changes of code would go unnoticed, unless the owner has accepted that.
func (p *Prover) blind() bool { return !p.cfg.WithoutCompanion && !p.facts.codeKnown(p.cfg.CodeAge) }

func unprovenReason(e *entry) Reason {
	switch e.state() {
	case Differing:
		return Differs
	case Unstable:
		return Disagrees
	}
	return NotProven
}

func (p *Prover) shape(query, site string, d *api.Summary) (Shape, bool) {
	if d.Route == "" {
		return Shape{}, false
	}
	text, ok := arguments(query, p.cfg.Known)
	return Shape{Route: d.Route, Site: site, Arguments: text, Language: d.Language, Answer: mediaType(d.ContentType)}, ok
}

// Ticket stands for the shape of a request that was decided about.
type Ticket entry

// Site returns the address of the request, as in Shape.
func (t *Ticket) Site() string { return (*entry)(t).shape.Site }

// Native records that the response was sent.
func (t *Ticket) Native() { (*entry)(t).natives.Add(1) }

// Wants reports whether a request with a ticket should be compared, given how it was decided.
func (p *Prover) Wants(t *Ticket, why Reason) bool {
	if t == nil {
		return false
	}
	now := p.cfg.Now().UnixNano()
	if now < p.paused.Load() {
		return false
	}
	since := time.Duration(now - (*entry)(t).compared.Load())
	switch why {
	case None, Closed:
		if (*entry)(t).refill.Swap(false) && p.composer.budget.take(p.cfg.Now(), p.cfg.Rate) {
			return true
		}
		return since >= p.cfg.Time || rand.Float64()*100 < p.cfg.Sample
	case NotRendered: // a comparison would prove nothing
		return false
	case Visitors, Differs, Disagrees:
		return since >= p.cfg.interval() || rand.Float64()*100 < p.cfg.Sample
	}
	return true
}

// awayTime is how long WordPress receives no requests for comparison after it has failed.
const awayTime = 10 * time.Second

// Away records that WordPress has not answered.
func (p *Prover) Away() {
	p.composer.failures.Add(1)
	p.paused.Store(p.cfg.Now().Add(awayTime).UnixNano())
}

// Here records that WordPress has answered.
func (p *Prover) Here() {
	p.composer.failures.Store(0)
	p.facts.answered.Store(p.cfg.Now().UnixNano())
}

// Harmless reports whether the owner has declared that changes of a table, an option or metadata
// change no response, or whether it is well known for that.
func (p *Prover) Harmless(name string) bool { return harmless(name, p.cfg.HarmlessTables) }

// Others reports changes in tables, options, metadata and data files that calbridge doesn't know, by name. Call it
// before the tracker has the changes of the same transaction.
func (p *Prover) Others(names []string) {
	for _, name := range names {
		if p.Harmless(name) {
			continue
		}
		p.accompanying.change(name)
		if !strings.HasPrefix(name, metaPrefix) { // whose changes end the proofs of their own posts alone
			p.counts.table(name)
			p.suspects.tableChanged(name)
			p.endObjects()
			p.ended(EndTable)
		}
	}
}

// factsChanged ends all proofs.
func (p *Prover) factsChanged(names []string) {
	n := p.book.reset()
	p.objects.reset()
	if s := p.composer.store; s != nil {
		s.Reset()
	}
	p.adjustments.reset()
	p.counts.changed(names)
	p.suspects.factsChanged(names)
	if p.cfg.OnlyContent {
		p.cfg.Logger.Info("the facts that responses depend on have changed; WordPress's rendering of texts is requested again", "facts", strings.Join(names, " "))
	} else {
		p.cfg.Logger.Warn("the facts that responses depend on have changed; WordPress answers until they are proved again", "facts", strings.Join(names, " "), "shapes", n)
	}
	p.ended(EndFacts)
}

func (p *Prover) ended(why Ending) {
	p.counts.ended(why)
	p.cfg.Observer.Ended(why)
	p.outdated.report()
}

// lastCompared returns the time at which the last comparison ended; the zero time if there was
// none.
func lastCompared(p *Prover) time.Time {
	if at := p.latest.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}
