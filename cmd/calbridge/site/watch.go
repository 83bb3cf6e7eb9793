package site

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/proof"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/guard"
)

// watchEvery is the interval at which the facts are gathered again. Facts that come only from
// options are also updated with each change of the options.
const watchEvery = time.Minute

// gatherTimeout limits the time for gathering the facts.
const gatherTimeout = 30 * time.Second

// watch gathers the facts of a site again while it is served.
type watch struct {
	// closed is set when native responses would be wrong, or show what the site may have closed.
	closed  atomic.Bool
	changed chan struct{} // capacity 1; nil before start
	// shut ends what would go on showing what is closed: open streams, and copies in caches in front. It
	// may be nil.
	shut func(closed bool)

	// prover receives changes and checks the code periodically. It may be nil.
	prover    *proof.Prover
	codeEvery time.Duration

	gatherer *sitecheck.Gatherer
	logger   *slog.Logger
	guard    *guard.Guard
	// inUse holds the facts that the site was opened with, latest those gathered last.
	inUse, latest *sitefacts.Document
	cancel        context.CancelFunc
	done          sync.WaitGroup
}

func (w *watch) start(g *sitecheck.Gatherer, facts *sitefacts.Document, logger *slog.Logger, panics *guard.Guard) {
	w.gatherer, w.inUse, w.latest, w.logger, w.guard = g, facts, facts, logger, panics
	w.changed = make(chan struct{}, 1)
	w.close(sitecheck.Closed(g.Settings, facts, facts))
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	if w.prover != nil {
		w.guard.Loop(ctx, &w.done, "asking which code WordPress runs", w.watchCode)
	}
	w.guard.Loop(ctx, &w.done, "gathering the site's facts", w.watchFacts)
}

// watchFacts gathers the facts periodically.
func (w *watch) watchFacts(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			w.look(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// watchCode checks periodically which code WordPress runs.
func (w *watch) watchCode(ctx context.Context) {
	tick := time.NewTicker(w.codeEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			look, cancel := context.WithTimeout(ctx, gatherTimeout)
			if err := w.prover.RefreshCode(look); err != nil && ctx.Err() == nil {
				w.logger.Debug("WordPress doesn't report which code it runs", "err", err)
			}
			cancel()
		case <-ctx.Done():
			return
		}
	}
}

func (w *watch) stop() {
	if w.cancel != nil {
		w.cancel()
		w.done.Wait()
	}
}

// close stops native responses if there is a reason, and resumes them otherwise.
func (w *watch) close(reason string) {
	if reason != "" {
		w.logger.Error("calbridge has stopped answering; with --upstream WordPress answers", "found", reason)
	}
	w.closed.Store(reason != "")
	if w.shut != nil {
		w.shut(reason != "")
	}
}

// look gathers the facts, and logs and announces their changes. Facts that can't be gathered
// count as unchanged.
func (w *watch) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, gatherTimeout)
	defer cancel()
	facts, problems, err := w.gatherer.Gather(ctx)
	if err != nil {
		w.logger.Debug("the site's facts could not be gathered", "err", err)
		return
	}
	changes := facts.Changes(w.latest)
	if len(changes) == 0 {
		return
	}
	w.latest = facts
	for _, change := range changes {
		w.logger.Warn("the site has changed", "fact", change)
	}
	if w.prover != nil {
		w.prover.Change("site")
	}
	_ = sitecheck.Require(w.logger, problems) // problems are only warnings here
	w.close(sitecheck.Closed(w.gatherer.Settings, w.inUse, facts))
	select {
	case w.changed <- struct{}{}:
	default:
	}
}
