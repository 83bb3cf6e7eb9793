package main

import (
	"io"
	"os"
	"strings"
	"testing"
)

// TestIndexTable checks that the table has medians, and ranges of the times.
func TestIndexTable(t *testing.T) {
	var all []indexed
	for round := range 3 {
		for i, server := range []string{oldProgram, newProgram} {
			all = append(all, indexed{Server: server, Events: 1000, First: 0.5, Index: float64(40 - 30*i + round), CPU: 2, Database: 8, PeakMiB: float64(200 + round), Load: "3.5 1 1"})
		}
	}
	var out strings.Builder
	if err := writeIndexed(&out, all); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for line, want := range map[int]string{1: "old 1000 0.50 41.0 40.0-42.0 2.0 8.0 201 3.5 3.5 3.5", 2: "calbridge 1000 0.50 11.0 10.0-12.0 2.0 8.0 201 3.5 3.5 3.5"} {
		if got := strings.Join(strings.Fields(lines[line]), " "); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestIndexRefuses(t *testing.T) {
	for _, args := range [][]string{{"--events", "0"}, {"--nonsense"}} {
		if err := indexCommand(t.Context(), append([]string{"--calbridge", "/nowhere"}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
	if _, err := index(t.Context(), "/nowhere", nil, os.Getpid()); err == nil {
		t.Error("a program that is not there is measured")
	}
}

// TestPeak checks that the peak memory of a process is at least its current memory.
func TestPeak(t *testing.T) {
	peak, err := peakBytes(os.Getpid())
	if now, otherErr := residentBytes(os.Getpid()); err != nil || otherErr != nil || peak < now/2 || peak == 0 {
		t.Errorf("%d, now %d: %v %v", peak, now, err, otherErr)
	}
}
