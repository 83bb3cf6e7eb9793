package main

import (
	"io"
	"strings"
	"testing"
)

// TestSearchTable checks the lines of a table of searches.
func TestSearchTable(t *testing.T) {
	var out strings.Builder
	err := writeSearched(&out, []searchedWord{
		{Events: 1000, Share: .01, Found: 9, Index: 1, IndexRange: []float64{.5, 1.5}, Database: 20, Range: []float64{19, 21}, Posts: 1030, MiB: 2, LoadedIn: .3, Load: "1 2 3"},
		{Events: 1000, Share: .1, Found: 90, Index: 2, IndexRange: []float64{2, 2}, Database: 20, Range: []float64{19, 21}, Failed: 1, Posts: 1030, MiB: 2, LoadedIn: .3, Load: "1 2 3"},
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for line, want := range map[int]string{
		1: "1000 1.0000 % 9 1.00 0.50-1.50 20.00 19.00-21.00 20.0 0 1 2 3",
		2: "1000 10.0000 % 90 2.00 2.00-2.00 20.00 19.00-21.00 10.0 1 1 2 3",
		3: "1000 events: an index of 1030 posts, 2 MiB, 0.3 s after the start",
	} {
		if got := strings.Join(strings.Fields(lines[line]), " "); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// TestWordOf checks which word stands for a share of the events.
func TestWordOf(t *testing.T) {
	in := map[string]int{"festival": 100, "lecture-hall": 12, "theatrical": 9, "short": 10, "lighthouse": 1}
	for share, want := range map[float64]string{.1: "festival", .01: "theatrical", .00001: "lighthouse"} {
		if got := wordOf(in, share, 1000); got != want {
			t.Errorf("%g: %s, want %s", share, got, want)
		}
	}
	if got := wordOf(map[string]int{"short": 1}, .1, 10); got != "" {
		t.Errorf("%s of short words", got)
	}
}

func TestSearchRefuses(t *testing.T) {
	for _, args := range [][]string{{"--events", "0"}, {"--rounds", "0"}, {"--requests", "0"}, {"--nonsense"}} {
		if err := searchCommand(t.Context(), append([]string{"--calbridge", "/nowhere"}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
