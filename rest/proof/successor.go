package proof

import (
	"context"
	"sync"
	"time"

	"calbridge/wpstore/invalidation"
)

// awaitPause is the pause between two checks for changes of rows.
const awaitPause = 5 * time.Millisecond

// Taken describes what a prover took over.
type Taken struct {
	Shapes, Objects int
	// Changed are the facts that differ, because of which nothing was taken over.
	Changed []string
}

// HandOver makes a prover take over what another prover of the same database has proved. The other
// one then answers nothing natively and records nothing more. catchUp waits until the other's
// tracker has all changes from before the call; objects are taken over if it succeeds before ctx
// ends. Nothing is taken over if the facts differ. What p itself has recorded stays.
func HandOver(ctx context.Context, from, p *Prover, catchUp func(context.Context) error) (Taken, error) {
	follows := await(ctx, p.cfg.Tracker)
	// From here on p's tracker has all changes. The other has those of before, too.
	begun := p.Begin()
	retire(from)
	if !p.facts.known.Load() {
		if err := p.Refresh(ctx); err != nil {
			return Taken{}, err
		}
	}
	for _, f := range []*facts{p.facts, from.facts} { // which may be being read
		if err := lock(ctx, &f.mu); err != nil {
			return Taken{}, err
		}
		defer f.mu.Unlock()
	}
	p.counts.add(from.counts)
	p.suspects.takeOver(from.suspects)
	if from.facts.latest == nil {
		return Taken{}, nil
	}
	if changed := differing(from.facts.latest, p.facts.latest); len(changed) > 0 {
		return Taken{Changed: changed}, nil
	}
	shapes, doubtful := p.book.takeOver(from.book, func() { p.adjustments.follow(from.adjustments.rules()) })
	p.latest.Store(max(p.latest.Load(), from.latest.Load()))
	taken := Taken{Shapes: shapes}
	if follows && !doubtful && catchUp(ctx) == nil {
		taken.Objects = p.objects.takeOver(from.objects, begun)
	}
	return taken, nil
}

// await waits until changes of rows arrive, and reports whether they do.
func await(ctx context.Context, t *invalidation.Tracker) bool {
	for !t.Active() {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(awaitPause):
		}
	}
	return true
}

// lock locks before ctx ends.
func lock(ctx context.Context, mu *sync.Mutex) error {
	for !mu.TryLock() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(awaitPause):
		}
	}
	return nil
}

// retire stops recording. A comparison that is being recorded is completed first.
func retire(p *Prover) {
	p.recording.Lock()
	defer p.recording.Unlock()
	p.retired.Store(true)
}
