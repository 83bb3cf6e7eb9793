//go:build !race

package systemtest

import "testing"

// raceStep makes every case run.
const raceStep = 1

// oneAtATime lets a test run whose requests follow one another.
func oneAtATime(*testing.T) {}
