//go:build !race

package rest

import "testing"

const (
	hostileSize  = 10 << 20 // bytes that TestHugeRequests sends
	hostileStep  = 1        // every broken value is tried
	raceDetector = false
)

// oneAtATime lets a test run whose requests follow one another.
func oneAtATime(*testing.T) {}
