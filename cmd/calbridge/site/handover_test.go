package site

import (
	"context"
	"maps"
	"testing"

	"calbridge/rest/proof"
	"calbridge/wpstore/synthetic"
)

// TestHandOver checks on a real change feed that a site continues with what its predecessor
// has proved, and that events closed before, during and after the handover are never shown.
func TestHandOver(t *testing.T) {
	dsn := autoDatabase(t)
	for i, name := range []string{"events hidden by meta", "events guarded by another table"} {
		if testing.Short() && i > 0 { // fewer hooks, for the race detector
			continue
		}
		t.Run(name, func(t *testing.T) {
			var h *hook
			for _, one := range hooks() {
				if one.name == name {
					h = one
				}
			}
			old := newAutoSite(t, dsn, h)
			old.activate(true)
			for range 3 * comparisons() {
				old.native, old.asked = 0, 0
				if old.sweep(); old.native == old.asked {
					break
				}
			}
			next := newAutoSite(t, dsn, h)
			next.clock.Store(old.clock.Load())
			next.wp.on.Store(true)
			next.wp.closed = maps.Clone(old.wp.closed)
			closeEvent := func(n int64) {
				h.guard(old.wp, synthetic.FirstEvent+n, true)
				next.wp.setClosed(synthetic.FirstEvent+n, true)
			}
			closeEvent(1) // perhaps before the successor follows changes
			taken, err := proof.HandOver(t.Context(), old.prover, next.prover, func(ctx context.Context) error {
				closeEvent(2)
				old.settle()
				closeEvent(3) // too late for the predecessor
				return nil
			})
			if err != nil || taken.Shapes < 5 || len(taken.Changed) > 0 {
				t.Fatalf("%+v %v", taken, err)
			}
			closeEvent(4)
			next.settle()
			next.load(60, false)
			share := 100 * next.native / next.asked
			t.Logf("took over %d shapes and %d objects; %d %% native, %d wrong, %d closed shown; ended: %v", taken.Shapes, taken.Objects, share, next.wrong, next.shown, next.prover.Report().Endings)
			if next.shown > 0 || next.wrong > 0 {
				t.Errorf("%d closed events shown, %d wrong answers", next.shown, next.wrong)
			}
			if h.name == "events hidden by meta" && (taken.Objects == 0 || share == 0) {
				t.Errorf("%d objects taken over, %d %% answered natively", taken.Objects, share)
			}
			for n := range int64(autoEvents) { // restores the state for the next hook
				h.guard(old.wp, synthetic.FirstEvent+n, false)
			}
		})
	}
}
