//go:build race

package rest

import "testing"

// What the race detector makes slow, and can find nothing in, is done in part.
const (
	hostileSize  = 1 << 20 // bytes that TestHugeRequests sends
	hostileStep  = 12      // every twelfth broken value is tried
	raceDetector = true
)

// oneAtATime skips a test whose requests follow one another. What it runs concurrently, other tests
// run with many clients.
func oneAtATime(t *testing.T) {
	t.Helper()
	t.Skip("the race detector finds nothing here that it doesn't find in tests with many clients")
}
