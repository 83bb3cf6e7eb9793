package demo

import (
	"strings"
	"testing"
)

func TestNewApplicationPassword(t *testing.T) {
	a, b := newApplicationPassword(), newApplicationPassword()
	if a == b || len(a) != 29 || len(strings.Fields(a)) != 6 || len(strings.Fields(a)[5]) != 4 {
		t.Errorf("%q, %q", a, b)
	}
}
