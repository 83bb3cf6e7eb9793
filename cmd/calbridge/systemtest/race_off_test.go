//go:build !race

package systemtest

// raceStep: every case runs.
const raceStep = 1
