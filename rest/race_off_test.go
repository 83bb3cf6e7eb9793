//go:build !race

package rest

// hostileSize is what TestHugeRequests sends.
const hostileSize = 10 << 20
