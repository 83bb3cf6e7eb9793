//go:build race

package rest

// What the race detector makes slow, and can find nothing in, is done in part.
const (
	hostileSize  = 1 << 20 // bytes that TestHugeRequests sends
	hostileStep  = 12      // every twelfth broken value is tried
	raceDetector = true
)
