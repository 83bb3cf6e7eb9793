//go:build !race

package rest

const (
	hostileSize  = 10 << 20 // bytes that TestHugeRequests sends
	hostileStep  = 1        // every broken value is tried
	raceDetector = false
)
