package phpdate

import (
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// vectors returns the lines of testdata/vectors.txt of a kind, which testdata/vectors.php
// had PHP 8.2 write: the input, then the responses.
func vectors(t *testing.T, kind string) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	var found [][]string
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, kind+"\t"); ok {
			found = append(found, strings.Split(strings.TrimSuffix(rest, "\n"), "\t"))
		}
	}
	if len(found) == 0 {
		t.Fatalf("no vectors of %s", kind)
	}
	return found
}

// TestWords reads every word and every limit of the grammar.
func TestWords(t *testing.T) {
	zones := NewZones()
	for _, v := range vectors(t, "time") {
		input, want := strings.Join(v[:len(v)-1], "\t"), v[len(v)-1]
		got := ""
		if unix, ok := zones.Strtotime(input, clockAt(base), time.UTC); ok {
			got = strconv.FormatInt(unix, 10)
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", input, got, want)
		}
	}
}

func TestAbbreviations(t *testing.T) {
	zones := NewZones()
	known := map[string]bool{}
	for _, v := range vectors(t, "abbreviation") {
		known[v[0]] = true
		location, name, err := zones.Load(v[0])
		if err != nil {
			t.Errorf("%s: %v", v[0], err)
			continue
		}
		if got := Format(base.In(location), "Z\tI"); got != v[1]+"\t"+v[2] || name != strings.ToUpper(v[0]) {
			t.Errorf("%s: got %s %s, want %v", v[0], name, got, v)
		}
		offset, _ := strconv.ParseInt(v[1], 10, 64)
		for _, word := range []string{v[0], strings.ToUpper(v[0])} {
			if unix, _ := zones.Strtotime("1970-01-01 00:00 "+word, clockAt(base), time.UTC); unix != -offset {
				t.Errorf("%s: %d, want %d", word, unix, -offset)
			}
		}
	}
	for name := range abbreviations {
		if !known[name] {
			t.Errorf("PHP has no abbreviation %s", name)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	want := map[string]string{}
	for _, v := range vectors(t, "zone") {
		want[strings.ToLower(v[0])] = v[0]
	}
	if !maps.Equal(zoneIdentifiers, want) {
		for folded, name := range want {
			if zoneIdentifiers[folded] != name {
				t.Errorf("%s is missing, there is %q", name, zoneIdentifiers[folded])
			}
		}
		for folded, name := range zoneIdentifiers {
			if want[folded] == "" {
				t.Errorf("PHP has no %s", name)
			}
		}
	}
}

func TestZonesByOffset(t *testing.T) {
	want := map[int]string{}
	for _, v := range vectors(t, "offset") {
		offset, _ := strconv.Atoi(v[0])
		want[offset] = v[1]
	}
	for offset := range 2 * 50401 {
		offset -= 50400
		if zonesByOffset[offset] != want[offset] {
			t.Errorf("%d: got %q, want %q", offset, zonesByOffset[offset], want[offset])
		}
	}
}

func TestHistoricAbbreviations(t *testing.T) {
	want := map[string]string{}
	for _, v := range vectors(t, "historic") {
		want[v[0]] = v[1]
	}
	for name, abbreviation := range want {
		if historicAbbreviations[name] != abbreviation {
			t.Errorf("%s: got %q, want %q", name, historicAbbreviations[name], abbreviation)
		}
	}
	for name, abbreviation := range historicAbbreviations {
		if want[name] == "" {
			t.Errorf("%s: PHP has none, we have %q", name, abbreviation)
		}
	}
}
