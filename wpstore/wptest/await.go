package wptest

import (
	"testing"
	"time"
)

// AwaitRows waits until an event index of a site with events is loaded.
func AwaitRows(t testing.TB, index interface{ Rows() int }) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); index.Rows() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the event index is not loaded within two minutes")
		}
	}
}
