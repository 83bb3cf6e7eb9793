//go:build race

package rest

// hostileSize is what TestHugeRequests sends: the race detector is slow.
const hostileSize = 1 << 20
