//go:build race

package systemtest

// raceStep makes one of so many similar cases run. The race detector is slow and finds nothing
// more in the others.
const raceStep = 4
