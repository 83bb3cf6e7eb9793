package httpserver

import (
	"net"
	"net/http"
	"testing"
)

// TestConnLimit checks which of three connections is closed for a fourth.
func TestConnLimit(t *testing.T) {
	const n, a, i, c = http.StateNew, http.StateActive, http.StateIdle, http.StateClosed
	type event struct {
		conn  int
		state http.ConnState
	}
	for name, test := range map[string]struct {
		events []event
		want   int // -1 for none
	}{
		"room":                  {[]event{{0, n}, {1, n}}, -1},
		"the oldest fresh one":  {[]event{{0, n}, {1, n}, {2, n}}, 0},
		"an idle one first":     {[]event{{0, n}, {1, n}, {1, a}, {1, i}, {2, n}}, 1},
		"the longest idle":      {[]event{{0, n}, {0, a}, {1, n}, {1, a}, {2, n}, {2, a}, {1, i}, {0, i}}, 1},
		"all busy":              {[]event{{0, n}, {0, a}, {1, n}, {1, a}, {2, n}, {2, a}}, 3},
		"busy again":            {[]event{{0, n}, {0, a}, {0, i}, {1, n}, {2, n}, {0, a}}, 1},
		"room after one closed": {[]event{{0, n}, {1, n}, {2, n}, {1, c}}, -1},
		"closed while idle":     {[]event{{0, n}, {0, a}, {0, i}, {0, c}, {1, n}, {2, n}}, -1},
	} {
		l := newConnLimit(3, nil)
		conns := make([]net.Conn, 4)
		for k := range conns {
			conns[k], _ = net.Pipe()
		}
		for _, e := range test.events {
			if victim := l.note(conns[e.conn], e.state); victim != nil {
				t.Errorf("%s: one is closed too early", name)
			}
		}
		victim, got := l.note(conns[3], n), -1
		for k, conn := range conns {
			if victim == conn {
				got = k
			}
		}
		if got != test.want {
			t.Errorf("%s: %d is closed, want %d", name, got, test.want)
		}
		if victim != nil && victim != conns[3] { // later states of a closed connection change nothing
			l.note(victim, a)
			l.note(victim, i)
			l.note(victim, c)
		}
		if len(l.conns) > 3 {
			t.Errorf("%s: %d connections", name, len(l.conns))
		}
	}
}
