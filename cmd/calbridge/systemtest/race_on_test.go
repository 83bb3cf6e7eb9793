//go:build race

package systemtest

import "testing"

// raceStep makes one of so many similar cases run. The race detector is slow and finds nothing
// more in the others.
const raceStep = 4

// oneAtATime skips a test whose requests follow one another. What it runs concurrently, other tests
// run with many clients.
func oneAtATime(t *testing.T) {
	t.Helper()
	t.Skip("the race detector finds nothing here that it doesn't find in tests with many clients")
}
