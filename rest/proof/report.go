package proof

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/rest/fragment"
)

// Report describes what is answered natively and what by WordPress, and why. It has no values of
// responses or requests.
type Report struct {
	// Shapes are sorted.
	Shapes []Proof `json:"shapes"`
	// Headers are the recorded rules.
	Headers []HeaderRule `json:"headers"`
	// Varying are the names of headers that differ between WordPress's own responses to one
	// request. They don't count, and natively answered requests go without them.
	Varying []string `json:"varying_headers,omitempty"`
	// PageCap is the largest per_page by default: larger pages are proved separately. PageCaps are
	// the recorded ones.
	PageCap  int           `json:"page_cap"`
	PageCaps []PageCapRule `json:"page_caps"`
	// Seen and Closed count posts and terms.
	Seen   int `json:"objects_seen"`
	Closed int `json:"objects_closed"`
	// Answers counts requests by the reason for which WordPress answered, "" for those
	// answered natively.
	Answers map[Reason]int64 `json:"answers"`
	// Endings counts what ended proofs. Tables counts the changes of unknown tables and options by
	// name, which ended the proofs of objects.
	Endings map[Ending]int64 `json:"endings"`
	Tables  map[string]int64 `json:"tables"`
	// Harmless are those of the Tables that are probably harmless: they have changed often, for at
	// least a day, and an identical comparison followed each change.
	Harmless []string `json:"probably_harmless,omitempty"`
	// Accompanying are tables, options and metadata that change during nearly every comparison, perhaps
	// because of it: a counter of views. Metadata is "postmeta:KEY".
	Accompanying []string `json:"changed_by_comparisons,omitempty"`
	// Changed are the names of the facts that changed last.
	Changed      []string  `json:"changed_facts,omitempty"`
	LastCompared time.Time `json:"last_compared,omitzero"`
	// Held explains why nothing is answered natively, whatever is proven: NotFollowed, NotFacts,
	// NoCompanion or Visitors. It is "" otherwise.
	Held Reason `json:"held,omitempty"`
	// Fragments are the figures of WordPress's own rendering of objects, and Volatile the places where
	// it varies by itself, so that it isn't served.
	Fragments *fragment.Figures   `json:"fragments,omitempty"`
	Volatile  []fragment.Volatile `json:"volatile,omitempty"`
	// Visitors is the code that reads who sent a request: "mu-plugins/guard.php".
	Visitors []string `json:"visitor_code,omitempty"`
}

// Report returns the state of everything.
func (p *Prover) Report() Report {
	r := Report{Shapes: p.book.Proofs(), Headers: p.adjustments.headers.Rules(), Varying: p.adjustments.headers.Varying(), PageCap: maxPerPage, PageCaps: p.adjustments.caps.list(), LastCompared: lastCompared(p)}
	r.Seen, r.Closed = p.objects.Sizes()
	r.Visitors = p.facts.visitorCode()
	if s := p.composer.store; s != nil {
		figures := s.Figures()
		r.Fragments, r.Volatile = &figures, s.Volatile()
	}
	r.Harmless, r.Accompanying = p.suspects.probablyHarmless(), p.accompanying.names()
	p.counts.fill(&r)
	switch {
	case !p.cfg.Tracker.Active():
		r.Held = NotFollowed
	case !p.facts.current():
		r.Held = NotFacts
	default:
		r.Held = p.held()
	}
	return r
}

// maxTables bounds the names of tables that are counted: they come from the database.
const maxTables = 100

// counts are the figures of a report.
type counts struct {
	answers map[Reason]*atomic.Int64

	mu       sync.Mutex
	endings  map[Ending]int64
	tables   map[string]int64
	lastFact []string
}

func newCounts() *counts {
	c := &counts{answers: map[Reason]*atomic.Int64{}, endings: map[Ending]int64{}, tables: map[string]int64{}}
	for _, why := range append(Reasons(), None) {
		c.answers[why] = new(atomic.Int64)
	}
	return c
}

func (c *counts) decided(why Reason) { c.answers[why].Add(1) }

func (c *counts) ended(why Ending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endings[why]++
}

func (c *counts) table(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.tables[name]; !known && len(c.tables) >= maxTables {
		name = "others"
	}
	c.tables[name]++
}

func (c *counts) changed(names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastFact = names
}

// add adds the figures of another.
func (c *counts) add(from *counts) {
	from.mu.Lock()
	defer from.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for why, n := range from.answers {
		c.answers[why].Add(n.Load())
	}
	for why, n := range from.endings {
		c.endings[why] += n
	}
	for name, n := range from.tables {
		if _, known := c.tables[name]; !known && len(c.tables) >= maxTables {
			name = "others"
		}
		c.tables[name] += n
	}
	if c.lastFact == nil {
		c.lastFact = from.lastFact
	}
}

func (c *counts) fill(r *Report) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.Answers = map[Reason]int64{}
	for why, n := range c.answers {
		if n := n.Load(); n > 0 {
			r.Answers[why] = n
		}
	}
	r.Endings, r.Tables, r.Changed = maps.Clone(c.endings), maps.Clone(c.tables), c.lastFact
}
