package jsontree

import (
	"testing"
)

func TestSameNumber(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{{"1", "1.0", true}, {"1e2", "100", true}, {"0.1", "0.10", true}, {"9007199254740993", "9007199254740992", false}, {"1e999999999", "1e999999998", false}, {"-0", "0", true}} {
		if got := sameNumber(c.a, c.b); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}
