//go:build !race

package systemtest

// raceStep makes every case run.
const raceStep = 1
