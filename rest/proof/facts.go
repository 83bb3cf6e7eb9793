package proof

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/wpstore/invalidation"
)

// Facts are what answers depend on besides rows, by name: versions, plugins, options, code.
type Facts map[string]string

// CodeFact begins the names of the facts that identify the code that WordPress runs: "code", or
// "code plugins/members". Without them, changes of code go unnoticed.
const CodeFact = "code"

// VisitorFact begins the names of facts that exist while WordPress runs code that reads who sent a
// request: "visitor mu-plugins/guard.php". Such code may treat some visitors differently from
// comparisons, so that nothing is answered natively.
const VisitorFact = "visitor"

// FileFact begins the names of facts that identify the content of data files that hooked code names:
// "file wp-content/uploads/guards.json". A change ends the proofs of objects, like one of an unknown
// table: such a file may decide about them.
const FileFact = "file"

// filePrefix precedes a data file in the names that Prover.Others takes.
const filePrefix = "file:"

// HostFact begins the names of facts that name the hosts of the site: "host town.example".
const HostFact = "host"

// PluginFact begins the names of facts that are there while a plugin is active: "plugin
// members/guard.php".
const PluginFact = "plugin"

func isCode(name string) bool { return name == CodeFact || strings.HasPrefix(name, CodeFact+" ") }

func isFile(name string) bool { return strings.HasPrefix(name, FileFact+" ") }

// ofCode returns the facts that identify the running code and its data files.
func (f Facts) ofCode() Facts {
	found := maps.Clone(f)
	maps.DeleteFunc(found, func(name, _ string) bool { return !isCode(name) && !isFile(name) })
	return found
}

// files removes the facts of data files from names, and returns them as Prover.Others takes them.
func files(names []string) (others, found []string) {
	for _, name := range names {
		if file, is := strings.CutPrefix(name, FileFact+" "); is {
			found = append(found, filePrefix+file)
		} else {
			others = append(others, name)
		}
	}
	return others, found
}

// facts are the facts on which all proofs rest.
type facts struct {
	read, readCode func(context.Context) (Facts, error)
	now            func() time.Time
	tracker        *invalidation.Tracker
	changed        func(names []string)
	// filesChanged receives data files whose content has changed.
	filesChanged func(names []string)

	// known reports that they were read, code that they identify the running code, and refreshing
	// that they are being read. generation is the tracker's generation from before they were last
	// read.
	known, code, refreshing atomic.Bool
	generation              atomic.Uint64
	// codeRead is when the last successful reading of the code began, and answered when WordPress
	// last answered anything, as Unix times in nanoseconds.
	codeRead, answered atomic.Int64

	mu sync.Mutex
	// latest are hashes of values, nil before the first reading.
	latest Facts
	// visitors is the code of the VisitorFacts, sorted; nil if there is none.
	visitors atomic.Pointer[[]string]
	sites    sites
}

// visitorCode returns the code that reads who sent a request, sorted.
func (f *facts) visitorCode() []string {
	if names := f.visitors.Load(); names != nil {
		return *names
	}
	return nil
}

// note stores what decisions need from the facts.
func (f *facts) note(values Facts) {
	var visitors []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if code, is := strings.CutPrefix(name, VisitorFact+" "); is {
			visitors = append(visitors, code)
		}
	}
	if len(visitors) > 0 {
		f.visitors.Store(&visitors)
	} else {
		f.visitors.Store(nil)
	}
	f.sites.use(values)
}

// current reports whether no option has changed since the facts were read.
func (f *facts) current() bool {
	if !f.known.Load() {
		return false
	}
	at := f.generation.Load()
	return at == f.tracker.Generation() || f.tracker.Fresh(at, []invalidation.Tag{{Kind: invalidation.Site}})
}

// Refresh reads the facts, and ends all proofs if they have changed. While they can't be read,
// nothing is answered natively that depends on changed options.
func (p *Prover) Refresh(ctx context.Context) error {
	f := p.facts
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.refresh(ctx, nil)
}

// refresh does the work of Refresh for a caller that holds the lock. ended are the names of facts
// whose change has just ended all proofs.
func (f *facts) refresh(ctx context.Context, ended []string) error {
	generation, begin := f.tracker.Generation(), f.now()
	values, err := f.read(ctx)
	if err != nil {
		return err
	}
	hashed := hashed(values)
	if f.latest != nil {
		f.change(ended, differing(f.latest, hashed))
	}
	f.latest = hashed
	f.note(values)
	f.noteCode(values, begin)
	f.generation.Store(generation)
	f.known.Store(true)
	return nil
}

// change ends what depends on facts that have changed: all proofs, or those of objects if only data
// files have changed. It reports whether all proofs have ended. ended are the names of other facts whose
// change has just ended all proofs.
func (f *facts) change(ended, names []string) (all bool) {
	others, files := files(names)
	switch {
	case len(others) > 0:
		f.changed(append(slices.Clone(ended), names...))
	case len(files) > 0:
		f.filesChanged(files)
	}
	return len(others) > 0
}

// RefreshCode reads which code WordPress runs. If it has changed, RefreshCode ends all proofs and
// reads all facts, since other code may have changed them. If only its data files have changed, that ends
// the proofs of objects. Call it regularly: until then, responses
// may show what changed code hides. Code that can't be read counts as unchanged, but nothing is
// answered natively once WordPress has answered other requests for longer than Config.CodeAge.
func (p *Prover) RefreshCode(ctx context.Context) error {
	f := p.facts
	f.mu.Lock()
	defer f.mu.Unlock()
	defer func() {
		if p.held() != None {
			p.outdated.report()
		}
	}()
	if f.readCode == nil || f.latest == nil { // Refresh reads it
		return nil
	}
	begin := f.now()
	values, err := f.readCode(ctx)
	if err != nil {
		return err
	}
	now, before := hashed(values), f.latest.ofCode()
	if names := differing(before, now); len(names) > 0 {
		all := f.change(nil, names)
		maps.DeleteFunc(f.latest, func(name, _ string) bool { return isCode(name) || isFile(name) })
		maps.Copy(f.latest, now)
		if all {
			f.known.Store(false) // until they are read
			return f.refresh(ctx, names)
		}
	}
	f.noteCode(values, begin)
	return nil
}

func (f *facts) noteCode(values Facts, begin time.Time) {
	f.code.Store(slices.ContainsFunc(slices.Collect(maps.Keys(values)), isCode))
	f.codeRead.Store(begin.UnixNano())
}

// codeKnown reports whether changes of code are noticed. What was read counts while WordPress
// doesn't answer at all, and for age beyond that.
func (f *facts) codeKnown(age time.Duration) bool {
	return f.code.Load() && (age == 0 || f.answered.Load()-f.codeRead.Load() <= int64(age))
}

func hashed(values Facts) Facts {
	all := Facts{}
	for name, value := range values {
		sum := sha256.Sum256([]byte(value))
		all[name] = hex.EncodeToString(sum[:16])
	}
	return all
}

// AwaitFacts refreshes the facts if options have changed. It waits while the facts are being read,
// because comparisons before that prove nothing.
func (p *Prover) AwaitFacts(ctx context.Context) error {
	f := p.facts
	if f.current() {
		return nil
	}
	if err := lock(ctx, &f.mu); err != nil {
		return err
	}
	defer f.mu.Unlock()
	if f.current() {
		return nil
	}
	return f.refresh(ctx, nil)
}

// RefreshIfDue refreshes the facts if options have changed, unless that is already running.
func (p *Prover) RefreshIfDue(ctx context.Context) error {
	if p.facts.current() || !p.facts.refreshing.CompareAndSwap(false, true) {
		return nil
	}
	defer p.facts.refreshing.Store(false)
	return p.Refresh(ctx)
}

// Change ends all proofs because of facts that have changed elsewhere, by name.
func (p *Prover) Change(names ...string) {
	p.facts.mu.Lock()
	defer p.facts.mu.Unlock()
	p.facts.changed(names)
	p.facts.known.Store(false)
}

// differing lists the names under which two sets of facts differ.
func differing(a, b Facts) []string {
	all := maps.Clone(a)
	if all == nil {
		all = Facts{}
	}
	maps.Copy(all, b)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	return names
}
