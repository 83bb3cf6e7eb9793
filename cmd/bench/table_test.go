package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func results() []result {
	return []result{
		{Name: "list of 10", Server: "calbridge", Concurrency: 16, Requests: 900, PerSecond: 1234.6, P50: 0.5, P99: 12.345, CPU: 0.6789, Queries: 6, AllocKiB: 80.4, Allocs: 512, ResidentMiB: 64.2, Bytes: 43000},
		{Name: "event", Server: "bare", Concurrency: 1},
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	if err := writeResults(&out, false, results()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(lines) != 3 || len(lines[1]) != len(lines[0]) || len(lines[2]) != len(lines[0]) {
		t.Fatalf("the columns are not aligned:\n%s", out.String())
	}
	for line, want := range []string{"request server at once req/s p50 ms p99 ms CPU ms queries KiB alloc. allocs MiB res. bytes",
		"list of 10 calbridge 16 1235 0.50 12.35 0.679 6.0 80 512 64 43000", "event bare 1 0 0.00 0.00 0.000 0.0 0 0 0 0"} {
		if got := strings.Join(strings.Fields(lines[line]), " "); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestJSONLines(t *testing.T) {
	var out strings.Builder
	if err := writeResults(&out, true, results()); err != nil {
		t.Fatal(err)
	}
	decoder, read := json.NewDecoder(strings.NewReader(out.String())), []result{}
	for decoder.More() {
		var r result
		if err := decoder.Decode(&r); err != nil {
			t.Fatal(err)
		}
		read = append(read, r)
	}
	if len(read) != 2 || read[0] != results()[0] || read[1] != results()[1] || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("%s", out.String())
	}
}
