//go:build race

package systemtest

// raceStep: of so many similar cases one runs. The race detector is slow, and finds nothing
// more in the others.
const raceStep = 4
