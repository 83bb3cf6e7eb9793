package proof

import (
	"context"
	"maps"
	"time"
)

// Saved is what survives a restart: the facts, and what was proven under them. It has no values of
// responses or requests, except headers that WordPress sends to everyone.
type Saved struct {
	Facts  Facts        `json:"facts"`  // hashes
	Shapes []SavedShape `json:"shapes"` // sorted
	Rules
}

// Rules are the recorded rules, on which proofs rest.
type Rules struct {
	Headers  []HeaderRule  `json:"headers"`
	PageCaps []PageCapRule `json:"page_caps"`
}

// SavedShape is a proof of a shape: the number of identical responses in a row since First.
type SavedShape struct {
	Shape
	Identical int       `json:"identical"`
	First     time.Time `json:"first"`
}

// Keep returns what is to survive of a prover. It doesn't wait: ok is false before the facts have
// been read, and while they are being read.
func Keep(p *Prover) (k Saved, ok bool) {
	f := p.facts
	if !f.mu.TryLock() { // facts change together with what was proven under them
		return k, false
	}
	defer f.mu.Unlock()
	if f.latest == nil {
		return k, false
	}
	k = Saved{Facts: maps.Clone(f.latest), Shapes: []SavedShape{}, Rules: p.adjustments.rules()}
	for _, proof := range p.book.Proofs() {
		if proof.State == Proven || proof.Kept {
			k.Shapes = append(k.Shapes, SavedShape{proof.Shape, proof.Identical, proof.First})
		}
	}
	return k, true
}

// Restore gives a prover what was kept, if the facts are the same as then. Otherwise changed names
// those that differ. What has been recorded since the start stays.
func Restore(ctx context.Context, p *Prover, k Saved) (restored int, changed []string, err error) {
	if err := p.Refresh(ctx); err != nil {
		return 0, nil, err
	}
	f := p.facts
	f.mu.Lock()
	defer f.mu.Unlock()
	if changed := differing(k.Facts, f.latest); len(changed) > 0 {
		return 0, changed, nil
	}
	return p.book.restore(k.Shapes, p.cfg.Now(), func() { p.adjustments.follow(k.Rules) }), nil, nil
}
