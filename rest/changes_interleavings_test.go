package rest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/sqlconn"
)

// roundsOfSite is how many interleavings one site has.
const roundsOfSite = 200

// TestChangesInterleavings runs TestChangesModel on the embedded engine, with a log that is
// applied at moments that the seed decides: also between two queries of a request. Sites have
// seeds from CALBRIDGE_CHANGES_SEED on; CALBRIDGE_INTERLEAVINGS is how many interleavings all of
// them have.
func TestChangesInterleavings(t *testing.T) {
	rounds := 2000
	switch {
	case os.Getenv("CALBRIDGE_LONG") != "":
		rounds = 100_000
	case testing.Short() || raceDetector:
		rounds = roundsOfSite
	}
	rounds = envNumber(t, "CALBRIDGE_INTERLEAVINGS", rounds)
	first := envNumber(t, "CALBRIDGE_CHANGES_SEED", 1)
	var mu sync.Mutex
	total := map[string]int{}
	t.Run("sites", func(t *testing.T) {
		for i := 0; i*roundsOfSite < rounds; i++ {
			seed := uint64(first + i)
			t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
				t.Parallel()
				defer func() {
					if t.Failed() {
						t.Logf("again: CALBRIDGE_CHANGES_SEED=%d CALBRIDGE_INTERLEAVINGS=%d go test ./rest -run TestChangesInterleavings", seed, roundsOfSite)
					}
				}()
				between := &interruption{}
				s := embeddedChangesSite(t, sqlconn.Config{Observe: between.observe}, seed%4 != 0)
				m := newChangesModel(t, seed, s)
				m.between = between
				of := map[string]int{}
				m.runRounds(min(roundsOfSite, rounds-i*roundsOfSite), of)
				mu.Lock()
				defer mu.Unlock()
				for what, n := range of {
					total[what] += n
				}
			})
		}
	})
	for _, what := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%s: %d", what, total[what])
	}
	if total["incremental"] < total["syncs"]/2 {
		t.Error("more than half of the copies started over")
	}
}

// interruption runs a function between two queries of a site, at a moment that can be repeated.
type interruption struct {
	mu    sync.Mutex
	after int
	run   func()
}

// arm makes a function run after that many queries; 0 for never.
func (i *interruption) arm(after int, run func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.after, i.run = after, run
}

func (i *interruption) observe(string, time.Duration, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.after--; i.after == 0 {
		i.run()
	}
}
